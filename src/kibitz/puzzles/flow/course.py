"""The nine boards of the assignment: UIUC CS440/ECE448, MP2 part 1, fall 2017."""

from collections.abc import Mapping

from kibitz.puzzles.flow.board import Board
from kibitz.puzzles.flow.texts import read

TEXTS: Mapping[str, str] = {
    "5x5": "B__RO/___Y_/__Y__/_RO_G/_BG__",
    "7x7": "___O___/_B__GY_/___BR__/___Y___/_______/__R____/G___O__",
    "8x8": "___R__G_/_BYP____/___O_GR_/___P____/______Y_/____BOQ_/_Q______/________",
    "9x9": "D__BOK___/__O__R___/__RQ__Q__/DB_______/_G_______/___P____G/__Y___Y__/______KP_/_________",
    "10x10a": "RG________/____O___O_/_YP_Q___Q_/__________/__G_______/______R___/______B___/P_________/_Y______B_/"
    "__________",
    "10x10b": "__________/_B________/__TPFBTV__/__________/_________P/F_________/__________/__SNHSNH__/________V_/"
    "__________",
    "12x12": "____________/____________/_____K_Y_G__/___Y___G____/_O_P______Q_/___R_OQ_____/____P_ARK___/"
    "_D__D_W_____/__________W_/__B_______B_/__________A_/____________",
    "12x14": "___P_______K/___G___G___A/______P__Y_Y/____Q___B___/__K____AD___/_____N_DO__B/____________/"
    "W__Q______R_/______N_____/____________/_______W____/_________O__/_R__________/____________",
    "14x14": "______________/_B___A________/______W____RP_/D____A__W_____/_______OB____G/_OY______K____/"
    "_________D____/G_____________/______R_Y_____/______Q_______/______________/__QP__________/_____K________/"
    "______________",
}


def boards() -> dict[str, Board]:
    """The boards by name."""
    return {name: read(text, name) for name, text in TEXTS.items()}


# Attempted assignments and seconds as the report prints them; `NA` where it found none, nothing where it is silent.
REPORTED: Mapping[str, Mapping[str, str]] = {
    "7x7": {"dumb": "156, 6.24 s", "smart": "12, 0.045 s"},
    "8x8": {"dumb": "NA", "smart": "15, 0.075 s"},
    "9x9": {"dumb": "NA", "smart": "3048, 152.87 s", "smarter": "196, 2.559 s"},
    "10x10a": {"smart": "NA", "smarter": "NA"},
    "10x10b": {"smart": "NA", "smarter": "5744, 950.43 s"},
}
