"""Reads record files with cshogi: a line for each of FORMAT FILE on standard input.

Prints start, moves, and how cshogi says that the game ended, with tabs between.
"""

import re
import sys

import cshogi
from cshogi import CSA, KI2, KIF

WINNERS = {cshogi.BLACK_WIN: "black", cshogi.WHITE_WIN: "white", cshogi.DRAW: "draw"}

for line in sys.stdin:
    form, path = line.rstrip("\n").split(" ", 1)
    try:
        if form == "csa":
            parser = CSA.Parser()
            with open(path, encoding="utf-8") as file:
                parser.parse_csa_str(file.read())
            game = parser
        else:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if form == "ki2":
                # It fails on lines of three and more moves.
                text = re.sub(r"(?m)^[▲△].*$", lambda line: re.sub(" *(?=[▲△])", "\n", line[0]), text)
            game = (KIF if form == "kif" else KI2).Parser.parse_str(text)
        moves = " ".join(cshogi.move_to_usi(move) for move in game.moves)
        print(game.sfen, moves, game.endgame, WINNERS.get(game.win, "none"), sep="\t")
    except Exception as error:  # whatever it is, the test shows it
        print("error", type(error).__name__, str(error).replace("\n", " "), "", sep="\t")
