"""The engines that can be compared.

Each module here but `hotword` is also a program, `NAME.py WORD STREAM`, that prints one JSON object for each event, `{"at":
seconds, "score": score}`, or says in one line why it cannot and exits with status 69: it runs in a process of its own so that its
time and memory are its own.
"""
