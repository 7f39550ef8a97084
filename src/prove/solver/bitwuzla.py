"""Runs the commands of an SMT-LIB file with the Python module bitwuzla. Never interprets what comes of them."""

import sys

import bitwuzla

options = bitwuzla.Options()
options.set(bitwuzla.Option.PRODUCE_MODELS, True)
bitwuzla.Parser(bitwuzla.TermManager(), options).parse(sys.argv[1])
