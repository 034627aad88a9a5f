"""Matching of the blank nodes of two graphs by what they have in common.

It goes from what is sure to what is likely:

1. Nodes with equal colours are matched, and then their neighbours in equal statements: first where
   only one pair is possible. If nodes differ only in their labels, the choice does not matter.
2. Nodes that share statements are matched, those with the most first, and then their neighbours.
3. What is left is matched by any statement in common.

Every step is limited, so the time is nearly linear in the number of statements for any graphs. The
limits only cost matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator
from heapq import heappop, heappush
from typing import TypeAlias, TypeVar

from jelly_spark.patches.blank_nodes.graphs import ColouredGraph, Colours, Edge, Incidence

_T = TypeVar("_T")
_Pair: TypeAlias = tuple[_T, _T]
_Groups: TypeAlias = dict[Hashable, list[_T]]

_MAX_PAIRS = 100
"""How many pairs are compared of the nodes that have one statement in common. If there are more,
the statement tells little about them."""

_EFFORT = 32
"""How many statements are compared in search of overlaps, for each statement of the graphs."""


def match_nodes(before: ColouredGraph, after: ColouredGraph) -> dict[int, int]:
    """Return nodes of `after` by the nodes of `before` that they are matched to, one to one."""
    matching = _Matching(before, after)
    matching.match_equal(before.components, after.components)
    matching.match_equal(before.around[-1], after.around[-1])
    for old, new in zip(before.around[-2::-1], after.around[-2::-1], strict=True):
        matching.match_unique(old, new)
    matching.match_overlaps(before.described, after.described)
    return matching.pairs


class _Matching:
    """The pairs of nodes that are found so far.

    Attributes:
        pairs: matched nodes of `after`, by those of `before`.
    """

    def __init__(self, before: ColouredGraph, after: ColouredGraph) -> None:
        self.pairs: dict[int, int] = {}
        self._old, self._new = before.graph.incident, after.graph.incident
        # The values that make nodes equal: the colours, or for a matched pair, its own number below
        # zero. So statements of matched nodes are equal only to those of their counterparts.
        self._old_values: list[int] = [0] * len(self._old)
        self._new_values: list[int] = [0] * len(self._new)
        # Matched pairs whose neighbours are to be compared: now, or with other colours.
        self._sure: deque[_Pair[int]] = deque()
        self._unfinished: list[_Pair[int]] = []
        # Groups of equal statements of a matched pair, of which any two can be matched.
        self._unsure: deque[_Pair[list[Edge]]] = deque()
        # Matched pairs whose neighbours are not suggested yet, suggested pairs in a heap with their
        # overlap, and groups that are too large to suggest all pairs.
        self._unexpanded: deque[_Pair[int]] = deque()
        self._suggested: list[tuple[int, int, int]] = []
        self._overlaps: dict[_Pair[int], int] = {}
        self._common: list[_Pair[list[int]]] = []
        self._effort = _EFFORT * (len(before.graph.edges) + len(after.graph.edges)) + 10_000

    def match_equal(self, old: Colours, new: Colours) -> None:
        """Match nodes with equal colours, and their neighbours with equal colours."""
        for olds, news in _rare_first(self.match_unique(old, new)):
            for _ in self._match_in_order(olds, news):
                self._spread()

    def match_unique(self, old: Colours, new: Colours) -> list[_Pair[list[int]]]:
        """Match nodes with colours that no others have, and their neighbours with equal colours.

        Returns:
            The groups of several nodes with equal colours.
        """
        self._colour(old, new)
        several = []
        for olds, news in _shared(_by_value(self._old_values), _by_value(self._new_values)):
            if len(olds) == len(news) == 1:
                self._match(olds[0], news[0])
            else:
                several.append((olds, news))
        self._spread()
        return several

    def match_overlaps(self, old: Colours, new: Colours) -> None:
        """Match nodes that have statements in common, if nodes with equal colours are equal."""
        self._colour(old, new)
        old_views = _by_view(self._old, self._old_values)
        new_views = _by_view(self._new, self._new_values)
        for olds, news in _rare_first(_shared(old_views, new_views)):
            pairs = self._pairs(olds, news)
            self._suggest(pair for pair in pairs if pair not in self._overlaps)
        self._match_suggested()
        common, self._common = self._common, []
        for olds, news in _rare_first(common):
            for _ in self._match_in_order(olds, news):
                self._match_suggested()

    def _colour(self, old: Colours, new: Colours) -> None:
        """Give these colours to the nodes that are not matched, and match neighbours by them."""
        for values, colours in ((self._old_values, old), (self._new_values, new)):
            for node, colour in enumerate(colours):
                if values[node] >= 0:
                    values[node] = colour
        self._sure.extend(self._unfinished)
        self._unfinished.clear()
        self._spread()

    def _match(self, old: int, new: int) -> None:
        self.pairs[old] = new
        self._old_values[old] = self._new_values[new] = -1 - len(self.pairs)
        self._sure.append((old, new))
        self._unexpanded.append((old, new))

    def _is_open(self, old: int, new: int) -> bool:
        return self._old_values[old] >= 0 and self._new_values[new] >= 0

    def _match_in_order(self, olds: list[int], news: list[int]) -> Iterator[None]:
        """Match nodes that are still open in their order; the caller goes on after each pair."""
        left = iter(news)
        for old in olds:
            if self._old_values[old] >= 0:
                new = next((node for node in left if self._new_values[node] >= 0), None)
                if new is None:
                    return
                self._match(old, new)
                yield

    # Neighbours in equal statements.

    def _spread(self) -> None:
        """Match the neighbours of matched nodes that are in equal statements with them."""
        while self._sure or self._unsure:
            if self._sure:
                pair = self._sure.popleft()
                old, new = pair
                if self._compare(
                    [edge for edge, _ in self._old[old]], [edge for edge, _ in self._new[new]]
                ):
                    self._unfinished.append(pair)
            else:
                # In small groups one choice at a time, since each can tell the others apart.
                olds, news = self._unsure.popleft()
                self._compare(olds, news, 1 + min(len(olds), len(news)) // 16)

    def _compare(self, olds: list[Edge], news: list[Edge], choices: int = 0) -> bool:
        """Match the nodes of equal statements.

        Args:
            olds: statements of `before`.
            news: statements of `after`.
            choices: how many are matched in each group of several equal statements.

        Returns:
            Whether both sides had nodes to match.
        """
        old_groups = _grouped(_open_edges(olds, self._old_values))
        new_groups = _grouped(_open_edges(news, self._new_values))
        for some, others in _shared(old_groups, new_groups):
            sure = len(some) == len(others) == 1
            for _ in range(1 if sure else min(choices, len(some), len(others))):
                for old, new in zip(some.pop().nodes, others.pop().nodes, strict=True):
                    if self._is_open(old, new) and self._old_values[old] == self._new_values[new]:
                        self._match(old, new)
            if some and others:
                self._unsure.append((some, others))
        return bool(old_groups and new_groups)

    # Overlaps.

    def _match_suggested(self) -> None:
        """Match the suggested pairs and those that they lead to, the largest overlap first."""
        self._expand()
        while self._suggested:
            known, old, new = heappop(self._suggested)
            if self._is_open(old, new) and self._overlaps[old, new] == -known:
                overlap = self._overlap(old, new)
                # Other matches may have taken what the two had in common.
                if overlap < -known:
                    self._push(overlap, old, new)
                else:
                    self._match(old, new)
                    self._expand()

    def _expand(self) -> None:
        """Match or suggest the neighbours of the nodes that were matched since the last time."""
        self._spread()
        while self._unexpanded:
            old, new = self._unexpanded.popleft()
            for olds, news in _shared(
                _grouped(_open_neighbours(self._old[old], self._old_values)),
                _grouped(_open_neighbours(self._new[new], self._new_values)),
            ):
                self._suggest(self._pairs(olds, news))

    def _pairs(self, olds: list[int], news: list[int]) -> Iterator[_Pair[int]]:
        """Yield all pairs of nodes that have something in common, unless that is common."""
        if len(olds) * len(news) <= _MAX_PAIRS:
            yield from ((old, new) for old in olds for new in news)
        else:
            self._common.append((olds, news))

    def _suggest(self, pairs: Iterable[_Pair[int]]) -> None:
        """Suggest pairs of nodes that have a matched neighbour, or another statement, in common."""
        for pair in pairs:
            self._effort -= 1
            if self._effort < 0:
                return
            known = self._overlaps.get(pair)
            self._push(self._overlap(*pair) if known is None else known + 1, *pair)

    def _push(self, overlap: int, old: int, new: int) -> None:
        self._overlaps[old, new] = overlap
        if overlap > 0:
            heappush(self._suggested, (-overlap, old, new))

    def _overlap(self, old: int, new: int) -> int:
        """Return how many statements two nodes have in common; 0 if there were too many to see."""
        olds, news = self._old[old], self._new[new]
        self._effort -= len(olds) + len(news)
        if self._effort < 0:
            return 0
        views = Counter(_views(olds, self._old_values))
        return sum((views & Counter(_views(news, self._new_values))).values())


def _by_value(values: list[int]) -> _Groups[int]:
    return _grouped((value, node) for node, value in enumerate(values) if value >= 0)


def _by_view(incident: list[list[Incidence]], values: list[int]) -> _Groups[int]:
    """Group the open nodes by each statement that they are in."""
    return _grouped(
        (view, node)
        for node, edges in enumerate(incident)
        if values[node] >= 0
        for view in dict.fromkeys(_views(edges, values))
    )


def _views(edges: list[Incidence], values: list[int]) -> Iterator[Hashable]:
    """Yield statements as one of their nodes sees them: if others are open, without them, too."""
    for (shape, nodes, _), place in edges:
        if len(nodes) == 1:
            yield shape
        else:
            seen = [values[node] for node in nodes]
            seen[place] = -1
            yield shape, *seen
            if max(seen) >= 0:
                yield shape, place


def _open_edges(edges: list[Edge], values: list[int]) -> Iterator[tuple[Hashable, Edge]]:
    """Yield the statements that have open nodes, each with what makes it equal to another."""
    for edge in edges:
        seen = [values[node] for node in edge.nodes]
        if max(seen) >= 0:
            yield (edge.shape, *seen), edge


def _open_neighbours(edges: list[Incidence], values: list[int]) -> Iterator[tuple[Hashable, int]]:
    """Yield the open neighbours of a node by the shape of the statement and their place in it."""
    for (shape, nodes, _), place in edges:
        for other, node in enumerate(nodes):
            if values[node] >= 0:
                yield (shape, place, other), node


def _grouped(items: Iterable[tuple[Hashable, _T]]) -> _Groups[_T]:
    groups: _Groups[_T] = defaultdict(list)
    for key, item in items:
        groups[key].append(item)
    return groups


def _shared(some: _Groups[_T], others: _Groups[_T]) -> Iterator[_Pair[list[_T]]]:
    """Yield the groups that both sides have."""
    return ((group, others[key]) for key, group in some.items() if key in others)


def _rare_first(groups: Iterable[_Pair[list[int]]]) -> list[_Pair[list[int]]]:
    return sorted(groups, key=lambda group: max(map(len, group)))
