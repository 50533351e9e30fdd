"""Compares wake-word engines on one stream of audio; see Benchmarks/README.md."""
