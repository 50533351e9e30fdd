"""Wake-word engines compared on one stream of audio; see Benchmarks/README.md."""
