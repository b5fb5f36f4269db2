"""Pictures of any game, drawn from its layout, pieces and gestures alone: no game logic inside."""

from kibitz.core.picture.scene import status as status
from kibitz.core.picture.svg import svg as svg
from kibitz.core.picture.terminal import terminal as terminal
