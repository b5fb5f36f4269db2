"""One server for all tests of a process that do not need their own."""

from collections.abc import Iterator

import pytest

from tests.web.visiting import Place, Visitor, served


@pytest.fixture(scope="session")
def place() -> Iterator[Place]:
    with served() as found:
        yield found


@pytest.fixture
def visitor(place: Place) -> Iterator[Visitor]:
    with place.visit() as found:
        yield found
