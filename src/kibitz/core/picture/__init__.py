"""Pictures of any game, drawn from its layout, pieces and gestures alone: no game logic inside."""

from kibitz.core.picture.drawing import drawing as drawing
from kibitz.core.picture.page import facts as facts
from kibitz.core.picture.page import games_page as games_page
from kibitz.core.picture.page import page as page
from kibitz.core.picture.scene import status as status
from kibitz.core.picture.svg import svg as svg
from kibitz.core.picture.terminal import terminal as terminal
from kibitz.core.picture.viewer import viewer as viewer
