"""Who is who on a learning platform: a list of its members, as it exports them, and the folders of a class.

A folder belongs to the member one of whose cells it is named after: a login, an address or the part before its `@`, a
number, or a name in either order. What two members share finds neither.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

KNOWN = (
    "student", "name", "full name", "first name", "surname", "last name", "id", "id number", "identifier", "username",
    "login", "sis user id", "sis login id", "email", "email address",
)  # fmt: skip
"""The columns that say who somebody is, in lower case."""
MOST_BYTES = 20_000_000


class BadRoster(ValueError):
    """A list of members that cannot be used; the message says what is missing."""


@dataclass(frozen=True)
class Roster:
    """The members, each with the cells of the platform's export."""

    members: tuple[Mapping[str, str], ...]

    def find(self, student: str) -> Mapping[str, str] | None:
        """The member a folder is named after, if there is one and only one."""
        wanted = _plain(student)
        found = [member for member in self.members if wanted in _handles(member)]
        return found[0] if len(found) == 1 else None


def roster_of(file: Path) -> Roster:
    """The members in a CSV file that a platform exported, or that a teacher wrote."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise BadRoster(f"{file} takes {file.stat().st_size:,} bytes: it is not a list of members")
        return roster_from(file.read_text(encoding="utf-8-sig"), str(file))
    except OSError as refused:
        raise BadRoster(f"{file} cannot be read: {refused.strerror or refused}") from None
    except UnicodeDecodeError:
        raise BadRoster(f"{file} is not in UTF-8: export it as CSV in UTF-8") from None
    except csv.Error as wrong:
        raise BadRoster(f"{file} is not a CSV file: {wrong}") from None


def roster_from(text: str, file: str = "the list of members") -> Roster:
    """The members in a text.

    >>> roster = roster_from("First name,Last name,Email address\\nAnna,Berg,aberg@example.org")
    >>> [roster.find(name) is not None for name in ("aberg", "Anna Berg", "berg_anna", "ben")]
    [True, True, True, False]
    """
    head = text.splitlines()[0] if text.strip() else ""
    separator = max(",;\t", key=head.count)
    rows = list(csv.DictReader(io.StringIO(text), delimiter=separator))
    named = [one for one in rows[0] if one and one.strip().lower() in KNOWN] if rows else []
    if not named:
        raise BadRoster(f"{file} has none of the columns {', '.join(KNOWN)}")
    members = [
        {str(k).strip(): (v or "").strip() for k, v in row.items() if isinstance(v, (str, type(None)))} for row in rows
    ]
    return Roster(tuple(one for one in members if any(one[key.strip()] for key in named) and not _is_scale(one)))


def cell(member: Mapping[str, str] | None, names: Iterable[str]) -> str:
    """The first of these columns that says something about a member."""
    lowered = {key.lower(): value for key, value in (member or {}).items()}
    return next((lowered[name] for name in names if lowered.get(name)), "")


def full_name(member: Mapping[str, str] | None, otherwise: str) -> str:
    """How a member is called, first name first."""
    given, family = cell(member, ["first name"]), cell(member, ["last name", "surname"])
    return f"{given} {family}".strip() or cell(member, ["full name", "name", "student"]) or otherwise


def _is_scale(member: Mapping[str, str]) -> bool:
    """Canvas writes the possible points as if they were a student."""
    return cell(member, ["student"]).startswith("Points Possible")


def _handles(member: Mapping[str, str]) -> set[str]:
    cells = [value for key, value in member.items() if key.lower() in KNOWN and value]
    first, last = cell(member, ["first name"]), cell(member, ["last name", "surname"])
    cells += [f"{first} {last}", f"{last} {first}"] if first and last else []
    cells += [address.partition("@")[0] for address in cells if "@" in address]
    cells += [" ".join(reversed(name.split(","))) for name in cells if "," in name]
    return {plain for one in cells if (plain := _plain(one))}


def _plain(name: str) -> str:
    """A name as a folder may spell it: without accents, capitals and signs between words.

    >>> _plain("Müller_Jörg"), _plain("Müller, Jörg")
    ('muller jorg', 'muller jorg')
    """
    folded = unicodedata.normalize("NFKD", name)
    letters = "".join(c for c in folded if not unicodedata.combining(c)).casefold()
    return " ".join(re.findall(r"[^\W_]+", letters))


def unknown(students: Sequence[str], roster: Roster | None) -> list[str]:
    """Students whom the list does not have, or has twice."""
    return [one for one in dict.fromkeys(students) if roster is not None and roster.find(one) is None]
