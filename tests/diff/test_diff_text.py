"""Two texts to hunks under their sections, and the same said in many places said once."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fabricgen.diff.fold import MANY, Differing, folded, masked, same_hunks
from fabricgen.diff.model import Hunk, TextCause
from fabricgen.diff.text import hunks, significant

BEFORE = """\
! a remark
hostname a
!
interface Ethernet1/1
   description to b
   mtu 9214
   priority-flow-control on
!
router bgp 65000
   router-id 10.0.0.1
   address-family ipv4
      neighbor LEAVES activate
   !
   vrf red
      rd 10.0.0.1:1
"""


def changed(old: str, new: str) -> tuple[Hunk, ...]:
    assert BEFORE.count(old) == 1
    return hunks(BEFORE, BEFORE.replace(old, new), "!")


def test_equal_texts_have_no_hunks() -> None:
    assert hunks(BEFORE, BEFORE, "!") == ()


def test_remarks_blank_lines_and_white_space_at_the_end_do_not_count() -> None:
    other = BEFORE.replace("! a remark", "! another one\n").replace("mtu 9214", "mtu 9214  ").replace("   !\n", "\n")
    assert hunks(BEFORE, other, "!") == ()
    assert significant("  ! x\n\n a \n!\nb", "!") == [" a", "b"]


def test_without_a_mark_every_line_counts() -> None:
    assert hunks("! a\nb\n", "! c\nb\n", "") == (Hunk((), ("! a",), ("! c",)),)


def test_a_lost_line_stands_under_its_section() -> None:
    assert changed("   priority-flow-control on\n", "") == (
        Hunk(("interface Ethernet1/1",), ("priority-flow-control on",), ()),
    )


def test_a_changed_line_stands_under_all_of_its_sections() -> None:
    assert changed("neighbor LEAVES activate", "no neighbor LEAVES activate") == (
        Hunk(
            ("router bgp 65000", "address-family ipv4"), ("neighbor LEAVES activate",), ("no neighbor LEAVES activate",)
        ),
    )


def test_a_new_section_is_one_hunk_with_its_own_indentation() -> None:
    new = "   vrf blue\n      rd 10.0.0.1:2\n   vrf red\n"
    assert changed("   vrf red\n", new) == (Hunk(("router bgp 65000",), (), ("vrf blue", "   rd 10.0.0.1:2")),)


def test_a_changed_first_line_changes_all_below_it() -> None:
    (found,) = changed("router bgp 65000", "router bgp 65001")
    assert found.section == ()
    assert (found.removed[0], found.added[0]) == ("router bgp 65000", "router bgp 65001")
    assert found.removed[1:] == found.added[1:]
    assert len(found.removed) == 6


def test_lines_that_change_places_differ() -> None:
    found = hunks("a\n 1\n 2\n", "a\n 2\n 1\n", "!")
    # One of the two is taken away and put back on the other side of the one that stays.
    assert [one.section for one in found] == [("a",), ("a",)]
    assert sorted((one.removed, one.added) for one in found) in (
        [((), ("1",)), (("1",), ())],
        [((), ("2",)), (("2",), ())],
    )


def test_a_line_that_leaves_its_section_differs() -> None:
    found = hunks("a\n x\nb\n", "a\nx\nb\n", "!")
    assert found == (Hunk(("a",), ("x",), ()), Hunk((), (), ("x",)))


def test_lines_that_occur_often_are_matched_by_what_stands_between_them() -> None:
    old = "".join(f"vrf {name}\n vni {name}\nexit-vrf\n" for name in "abcdef")
    new = old.replace("vrf c\n vni c\nexit-vrf\n", "").replace(" vni e", " vni 5")
    found = hunks(old, new, "!")
    assert Hunk(("vrf e",), ("vni e",), ("vni 5",)) in found
    assert sum(len(one.removed) + len(one.added) for one in found) == 3 + 2


def test_lines_that_none_has_once_are_matched_behind_those_that_are() -> None:
    old, new = "u\na\na\nb\nb\nv\n", "u\nb\nb\na\na\nv\n"
    assert hunks(old, new, "!") == (Hunk((), (), ("b", "b")), Hunk((), ("b", "b"), ()))


def test_a_file_without_sections_is_compared_line_by_line() -> None:
    old = "zebra=yes\nbgpd=yes\nbfdd=no\n"
    assert hunks(old, old.replace("bfdd=no", "bfdd=yes"), "#") == (Hunk((), ("bfdd=no",), ("bfdd=yes",)),)


def test_from_nothing_all_is_new() -> None:
    assert hunks("", "a\n b\n", "!") == (Hunk((), (), ("a", " b")),)
    assert hunks("a\n b\n", "! only a remark\n", "!") == (Hunk((), ("a", " b"), ()),)


OFTEN = ["a", "b", "c", " a", " b", " c", "  a", "  b", "! r", ""]
ONCE = [f"{indent}{word}" for word in "uvwxyz" for indent in ("", " ", "  ")]
LINES = st.lists(st.sampled_from(OFTEN) | st.sampled_from(ONCE), max_size=25)


@given(LINES, LINES)
def test_hunks_are_all_that_differs(old: list[str], new: list[str]) -> None:
    found = hunks("\n".join(old), "\n".join(new), "!")
    said = [significant("\n".join(lines), "!") for lines in (old, new)]
    assert (found == ()) == (said[0] == said[1])
    removed = Counter(line.strip() for hunk in found for line in hunk.removed)
    added = Counter(line.strip() for hunk in found for line in hunk.added)
    kept = [Counter(line.strip() for line in lines) for lines in said]
    # Nothing is lost and nothing is made up: what is there after is what was, less the removed, more the added.
    kept[0].subtract(removed)
    kept[0].update(added)
    assert +kept[0] == +kept[1]
    assert not -kept[0]


def port(number: int, removed: str, added: str = "") -> Hunk:
    return Hunk((f"interface Ethernet{number}/1",), (removed,), (added,) if added else ())


def test_the_same_line_lost_under_128_ports_is_one_hunk() -> None:
    (found,) = folded(port(number, "priority-flow-control on") for number in range(128))
    assert found.section == ("interface *",)
    assert found.removed == ("priority-flow-control on",)
    assert (len(found.sections), found.sections[3]) == (128, ("interface Ethernet3/1",))


def test_one_hunk_stays_as_it_is() -> None:
    assert folded([port(1, "mtu 9214", "mtu 9000")]) == (port(1, "mtu 9214", "mtu 9000"),)


def test_other_lines_or_other_sections_stay_apart() -> None:
    kept = (
        port(1, "mtu 9214", "mtu 9000"),
        port(2, "mtu 9214", "mtu 1500"),
        Hunk(("router bgp 1",), ("mtu 9214",), ()),
    )
    assert folded(kept) == kept
    words = (Hunk(("x",), ("a",), ()), Hunk(("x y",), ("a",), ()), Hunk(("z",), ("a",), ()))
    assert folded(words) == words


def test_lines_with_own_values_fold_where_a_reader_would_lose_the_thread() -> None:
    few = tuple(port(n, f"description server-{n} rail 1", f"description port server-{n} rail 1") for n in range(MANY))
    assert folded(few) == few
    last = port(MANY, "description server-x9 rail 1", "description port server-x9 rail 1")
    (found,) = folded((*few, last))
    assert (found.removed, found.added) == (("description * rail 1",), ("description port * rail 1",))
    assert len(found.sections) == MANY + 1


def test_words_with_digits_are_masked() -> None:
    assert masked("   neighbor 10.0.0.1 remote-as 65000 x") == "   neighbor * remote-as * x"


def found_on(switch: str, *hunks_: Hunk, cause: TextCause = TextCause.HAND) -> tuple[str, Differing]:
    return switch, Differing("startup-config", cause, hunks_)


def test_switches_with_the_same_hunks_are_one_class() -> None:
    hunk = port(1, "priority-flow-control on")
    found = same_hunks([found_on(f"be-leaf-{n:03}", hunk) for n in range(1000)])
    assert {one.hunks: len(names) for one, names in found.items()} == {(hunk,): 1000}


def test_another_cause_or_artifact_is_another_class() -> None:
    hunk = port(1, "x")
    other = ("c", Differing("daemons", TextCause.HAND, (hunk,)))
    assert len(same_hunks([found_on("a", hunk), found_on("b", hunk, cause=TextCause.RELEASE), other])) == 3


def test_two_switches_that_lose_another_priority_are_two_classes() -> None:
    found = same_hunks([found_on(f"s{n}", port(1, f"priority-flow-control priority {n}")) for n in (3, 4)])
    assert len(found) == 2


def test_many_switches_with_values_of_their_own_are_one_class() -> None:
    def switches(count: int) -> list[tuple[str, Differing]]:
        return [
            found_on(f"s{n}", Hunk(("router bgp 1",), (f"router-id 10.0.0.{n}", "maximum-paths 64"), ()))
            for n in range(count)
        ]

    assert len(same_hunks(switches(MANY))) == MANY
    ((found, names),) = same_hunks(switches(MANY + 1)).items()
    assert found.hunks == (Hunk(("router bgp 1",), ("router-id *", "maximum-paths 64"), ()),)
    assert len(names) == MANY + 1


def test_sections_of_many_switches_keep_what_they_share() -> None:
    hunks_ = [
        Hunk(("vrf *",), ("x 1",), (f"x {n}",), sections=(("vrf red1",), (f"vrf blue{n}",))) for n in range(MANY + 1)
    ]
    ((found, _),) = same_hunks([found_on(f"s{n}", hunk) for n, hunk in enumerate(hunks_)]).items()
    assert found.hunks == (Hunk(("vrf *",), ("x 1",), ("x *",), (("vrf red1",), ("vrf *",))),)


def test_a_carriage_return_is_a_difference() -> None:
    assert hunks("a\nb\n", "a\r\nb\r\n", "!") != ()
    assert hunks("a \nb\t\n", "a\nb\n", "!") == ()
