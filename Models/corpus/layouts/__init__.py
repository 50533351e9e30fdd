"""Lays out recordings of public repositories; see README.md beside this folder."""

from collections.abc import Callable, Iterator

from . import measuring_speech, negative_speech, noise, rooms, training_speech
from .clone import Repository
from .item import Item

LAYOUTS: dict[tuple[str, str], Callable[[Repository], Iterator[Item]]] = {
    ("jimbozhang/speechocean762", "train"): training_speech.speechocean,
    ("anshulgupta0803/isolated-speech-commands", "train"): training_speech.speech_commands,
    ("zhongyuchen/DSPSpeech-20", "train"): training_speech.dspspeech_english,
    ("zhongyuchen/DSPSpeech-20", "negatives"): negative_speech.dspspeech_chinese,
    ("cmusphinx/an4", "train"): training_speech.an4,
    ("Sakshee5/alphanumeric-audio-dataset", "train"): training_speech.alphanumeric_spelled,
    ("Sakshee5/alphanumeric-audio-dataset", "negatives"): negative_speech.alphanumeric_addresses,
    ("andabi/deep-voice-conversion", "train"): training_speech.arctic,
    ("global-asp/asp-audio", "train"): training_speech.african_stories_english,
    ("global-asp/asp-audio", "measure"): measuring_speech.african_stories_other,
    ("global-asp/isb-audio", "measure"): measuring_speech.indigenous_stories,
    ("global-asp/hbl-audio", "negatives"): negative_speech.hong_kong_stories,
    ("abdulkaderghandoura/arabic-speech-commands-dataset", "negatives"): negative_speech.arabic_commands,
    ("abdulkaderghandoura/arabic-speech-commands-dataset", "noise-train"): noise.arabic_background,
    ("DaDoctorProctor/Audio-dataset", "negatives"): negative_speech.spanish_names,
    ("KhunPhanDuae/pao-audio-dataset", "negatives"): negative_speech.pao,
    ("tarepan/npVCC2016Corpus", "negatives"): negative_speech.voice_conversion,
    ("mbarnig/Marylux-648-TTS-Corpus", "measure"): measuring_speech.luxembourgish,
    ("amu-cai/nEMO", "measure"): measuring_speech.nemo,
    ("RakshakTeam/emospeech-dataset-v1", "measure"): measuring_speech.emospeech,
    ("deeplyinc/Korean-Read-Speech-Corpus", "measure"): measuring_speech.deeply,
    ("deeplyinc/Parent-Child-Vocal-Interaction-Dataset", "measure"): measuring_speech.deeply,
    ("deeplyinc/Nonverbal-Vocalization-Dataset", "noise-measure"): noise.deeply_nonverbal,
    ("FishFilletsNG/fillets-data", "measure"): measuring_speech.fish_dialogues,
    ("FishFilletsNG/fillets-data", "noise-measure"): noise.fish_music,
    ("gcompris/GCompris-voices", "measure"): measuring_speech.gcompris,
    ("OHF-Voice/speech-to-phrase", "measure"): measuring_speech.commands_by_name,
    ("wehup/asterisk-sounds", "measure"): measuring_speech.telephone_prompts,
    ("gita/gita", "measure"): measuring_speech.gita,
    ("DanielGall500/dail-eireann-audio-dataset", "measure"): measuring_speech.parliament,
    ("langcog/manybabies_norming", "measure"): measuring_speech.mothers,
    ("deepxzy/Toronto-emotional-speech-set", "measure"): measuring_speech.toronto,
    ("Jakobovski/free-spoken-digit-dataset", "measure"): measuring_speech.free_digits,
    ("hugolpz/audio-cmn", "measure"): measuring_speech.mandarin_words,
    ("kulvinu/ICAAT_Speech_Corpus", "measure"): measuring_speech.sinhala_digits,
    ("antonisa/griko-italian-parallel-corpus", "measure"): measuring_speech.griko,
    ("marc-moreaux/kitchen20", "noise-measure"): noise.kitchen,
    ("gveres/donateacry-corpus", "noise-measure"): noise.baby_cries,
    ("sonic-pi-net/sonic-pi", "noise-train"): noise.sonic_pi,
    ("librosa/data", "noise-train"): noise.librosa_music,
    ("gm3/cc0-beats", "noise-train"): noise.beats,
    ("Tuxemon/Tuxemon", "noise-train"): noise.tuxemon_yubatake,
    ("Tuxemon/Tuxemon", "noise-measure"): noise.tuxemon_others,
    ("oramics/sampled", "rooms"): rooms.voxengo_rooms,
    ("GoogleChromeLabs/web-audio-samples", "rooms"): rooms.chrome_rooms,
    ("cwilso/web-audio-samples", "rooms"): rooms.house_rooms,
    ("rerdavies/ToobAmp", "rooms"): rooms.toob_rooms,
    ("spatialaudio/selected-topics-in-audio-signal-processing-exercises", "rooms"): rooms.seminar_room,
}
"""What finds the recordings of a repository for a use."""
