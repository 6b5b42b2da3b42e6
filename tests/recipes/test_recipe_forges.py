"""The recipes of both forges, run in a real repository: a job's colour, its words, and its comment."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen.diff.report_markdown import MARK
from tests.recipes.recipe import Ran, github, gitlab, has_jq, recipe
from tests.recipes.repository import (
    EXPECT,
    INTENT,
    LOCK,
    a_unit,
    another_hold_time,
    broken,
    commit,
    git,
    past_the_plan,
)

Job = Callable[..., Ran]


def on_github(work: Path, doubled: Path, comments: str = "[]") -> Ran:
    """Check out what GitHub does: the merge of the branch into its base, no branch (events, `pull_request`)."""
    branch = git(work, "rev-parse", "HEAD").stdout.strip()
    git(work, "checkout", "--quiet", "--detach", "origin/main")
    git(work, "merge", "--quiet", "--no-ff", "--no-edit", branch)
    return github(work, doubled, comments)


def on_gitlab(work: Path, doubled: Path, comments: str = "[]") -> Ran:
    """Check out what GitLab does: the branch's own commit, no branch."""
    git(work, "checkout", "--quiet", "--detach", "HEAD")
    return gitlab(work, doubled, comments)


@pytest.fixture(params=["github", "gitlab"])
def job(request: pytest.FixtureRequest) -> Job:
    """Check out and run as one of the two forges does."""
    return on_github if request.param == "github" else on_gitlab


@pytest.fixture
def branch(work: Path) -> Path:
    """Begin a branch from main."""
    git(work, "checkout", "--quiet", "-b", "branch")
    return work


def posted(done: Ran) -> list[str]:
    """The last call of the doubles, which writes the comment."""
    return done.calls[-1]


def test_a_branch_that_changes_nothing_is_green_and_says_so(branch: Path, tmp_path: Path, job: Job) -> None:
    (branch / "README.md").write_text("words\n")
    commit(branch, "words")
    done = job(branch, tmp_path / "double")
    assert done.code == 0, done.told
    assert "**No differences.**" in done.body
    assert git(branch, "status", "--porcelain").stdout == ""


def test_a_unit_added_is_green_with_a_comment_of_its_classes(branch: Path, tmp_path: Path, job: Job) -> None:
    a_unit(branch)
    commit(branch, "a unit")
    done = job(branch, tmp_path / "double")
    assert done.code == 0, done.told
    assert done.body.startswith(f"{MARK.format('site/intent.yaml')}\n")
    # 32 more servers of 8 GPUs on two rails a leaf: four leaves, and each of four spines has 16 links to each of them.
    assert "| 4 leaves of backend<br>be-leaf-004…007 | + new switches |" in done.body
    assert "+ 64 ports per switch (to be-leaf-004…007)" in done.body
    assert "POST" in posted(done)


def test_missing_lock_lines_fail_with_the_words_to_type(branch: Path, tmp_path: Path, job: Job) -> None:
    past_the_plan(branch)
    commit(branch, "more storage")
    done = job(branch, tmp_path / "double")
    assert done.code == 3
    assert "- {fabric: frontend, tier: leaf, group: store" in done.told
    assert f"type: fabricgen render {INTENT} && git add {LOCK} && git commit" in done.told
    assert not done.calls


def test_a_broken_intent_fails_with_file_and_line(branch: Path, tmp_path: Path, job: Job) -> None:
    broken(branch)
    commit(branch, "a typo")
    line = 1 + (branch / INTENT).read_text().splitlines().index(
        "    leaf: {model: arista-7060x6-46pe, os: eos-4.34}",
    )
    done = job(branch, tmp_path / "double")
    assert done.code == 1
    assert f"{INTENT}:{line}:" in done.told
    assert not done.calls


def test_what_is_expected_is_green(branch: Path, tmp_path: Path, job: Job) -> None:
    another_hold_time(branch)
    (branch / EXPECT).write_text(
        'expect: 1\nchanges:\n- {devices: ["be-*"], kinds: [bgp.timers changed], risk: reload}\n'
    )
    commit(branch, "hold time")
    done = job(branch, tmp_path / "double")
    assert done.code == 0, done.told
    assert "✅ Every change is expected." in done.body


def test_what_is_unexpected_fails_and_is_named_after_the_comment(branch: Path, tmp_path: Path, job: Job) -> None:
    another_hold_time(branch)
    a_unit(branch)
    (branch / EXPECT).write_text('expect: 1\nchanges:\n- {devices: ["*"], kinds: ["bgp.*"], risk: reload}\n')
    commit(branch, "a unit, and more")
    done = job(branch, tmp_path / "double")
    assert done.code == 3
    assert f"Unexpected changes (not in {EXPECT}):" in done.told
    assert "device added on be-leaf-004…007" in done.told
    assert "❌ **Unexpected changes:" in done.body
    assert "device added on be-leaf-004…007" in done.body


def test_the_expectation_of_an_earlier_change_allows_nothing(work: Path, tmp_path: Path, job: Job) -> None:
    (work / EXPECT).write_text('expect: 1\nchanges:\n- {devices: ["*"], risk: reload}\n')
    commit(work, "merged long ago")
    git(work, "push", "--quiet", "origin", "main")
    git(work, "checkout", "--quiet", "-b", "branch")
    another_hold_time(work)
    commit(work, "hold time")
    done = job(work, tmp_path / "double")
    assert done.code == 1
    assert "is about an earlier change" in done.told
    assert "expected" not in done.body


def test_a_faulty_expect_file_fails_with_its_line(branch: Path, tmp_path: Path, job: Job) -> None:
    a_unit(branch)
    (branch / EXPECT).write_text('expect: 1\nchanges:\n- {devices: ["*"], kinds: [bgp.neighbour]}\n')
    commit(branch, "a unit")
    done = job(branch, tmp_path / "double")
    assert done.code == 1
    assert f"{EXPECT}:3:" in done.told


def test_what_the_base_gained_meanwhile_is_no_change_of_the_branch(branch: Path, tmp_path: Path, job: Job) -> None:
    a_unit(branch)
    commit(branch, "a unit")
    if job is on_github:  # the merge is made first, and the base moves before the job is run, or run again
        git(branch, "checkout", "--quiet", "--detach", "origin/main")
        git(branch, "merge", "--quiet", "--no-ff", "--no-edit", "branch")
        here = git(branch, "rev-parse", "HEAD").stdout.strip()
    else:
        here = git(branch, "rev-parse", "branch").stdout.strip()
    git(branch, "checkout", "--quiet", "main")
    another_hold_time(branch)
    commit(branch, "hold time")
    git(branch, "push", "--quiet", "origin", "main")
    git(branch, "checkout", "--quiet", "--detach", here)
    done = (github if job is on_github else gitlab)(branch, tmp_path / "double")
    assert done.code == 0, done.told
    assert "+ new" in done.body
    assert "timers" not in done.body


def test_a_merged_results_pipeline_is_compared_with_the_target(branch: Path, tmp_path: Path) -> None:
    a_unit(branch)
    commit(branch, "a unit")
    git(branch, "checkout", "--quiet", "main")
    another_hold_time(branch)
    target = commit(branch, "hold time")
    git(branch, "merge", "--quiet", "--no-ff", "--no-edit", "branch")
    first = git(branch, "merge-base", target, "branch").stdout.strip()
    given = {"CI_MERGE_REQUEST_TARGET_BRANCH_SHA": target, "CI_MERGE_REQUEST_DIFF_BASE_SHA": first}
    done = gitlab(branch, tmp_path / "double", **given)
    assert done.code == 0, done.told
    assert "+ new" in done.body
    assert "timers" not in done.body


def test_a_clone_without_history_fails_and_says_what_to_set(branch: Path, tmp_path: Path) -> None:
    a_unit(branch)
    commit(branch, "a unit")
    git(branch, "push", "--quiet", "origin", "branch")
    shallow = tmp_path / "shallow"
    origin = f"file://{tmp_path / 'origin.git'}"
    git(tmp_path, "clone", "--quiet", "--depth", "1", "--branch", "branch", origin, "shallow")
    base = git(branch, "rev-parse", "main").stdout.strip()
    git(shallow, "update-ref", "refs/remotes/origin/main", "HEAD")  # only so that the double's variables can be made
    done = gitlab(shallow, tmp_path / "double", CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert done.code == 1
    assert "GIT_DEPTH" in done.told
    assert not done.calls


@pytest.mark.parametrize("name", ["github", "gitlab"])
def test_the_next_push_replaces_the_comment(branch: Path, tmp_path: Path, name: str) -> None:
    if name == "github" and not has_jq():
        pytest.skip("jq is not installed: the double of gh has no filter")
    a_unit(branch)
    commit(branch, "a unit")
    # Shapes: "REST API endpoints for issue comments" (id, body, user.login), "Notes API" (id, body).
    bot, person = {"login": "github-actions[bot]"}, {"login": "somebody"}
    comments = [
        {"id": 1, "body": "looks good", "user": person},
        {"id": 2, "body": f"{MARK.format('other/intent.yaml')}\nof another intent", "user": bot},
        {"id": 3, "body": f"{MARK.format('site/intent.yaml')}\nan older one", "user": bot},
    ]
    if name == "github":
        comments.insert(0, {"id": 9, "body": f"{MARK.format('site/intent.yaml')}\nnot ours", "user": person})
    done = (on_github if name == "github" else on_gitlab)(branch, tmp_path / "double", json.dumps(comments))
    assert done.code == 0, done.told
    last = posted(done)
    if name == "github":
        assert last[: last.index("-F")] == [
            "gh", "api", "--silent", "--method", "PATCH", "repos/site/fabric/issues/comments/3",
        ]  # fmt: skip
    else:
        notes = "https://gitlab.example.net/api/v4/projects/42/merge_requests/7/notes/3"
        assert last[last.index("--request") : last.index("--data-urlencode")] == ["--request", "PUT", notes]
    assert "an older one" not in done.body
    assert "+ new" in done.body


def test_without_a_token_gitlab_keeps_the_comment_as_an_artifact(branch: Path, tmp_path: Path) -> None:
    a_unit(branch)
    commit(branch, "a unit")
    done = gitlab(branch, tmp_path / "double", FABRICGEN_TOKEN="")
    assert done.code == 0, done.told
    assert not done.calls
    (kept,) = recipe("gitlab-ci.yaml")["fabric review"]["artifacts"]["paths"]
    assert (branch / kept).read_text().startswith(MARK.format("site/intent.yaml"))
    assert "a-token" not in done.told


def test_the_summary_of_github_is_the_comment(branch: Path, tmp_path: Path) -> None:
    a_unit(branch)
    commit(branch, "a unit")
    done = on_github(branch, tmp_path / "double")
    assert (done.folder / "GITHUB_STEP_SUMMARY").read_text() == done.body
    assert "a-token" not in done.told


def test_a_refused_comment_fails_the_job(branch: Path, tmp_path: Path) -> None:
    a_unit(branch)
    commit(branch, "a unit")
    done = gitlab(branch, tmp_path / "double", "no JSON, as a proxy answers")
    assert done.code != 0


def test_the_permissions_are_the_least() -> None:
    found = recipe("github-actions.yaml")
    assert found["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert found[True] == "pull_request"  # `on` of YAML 1.1; pull_request_target would give a fork's code a token
    steps = {step.get("name", step.get("uses")): step for step in found["jobs"]["review"]["steps"]}
    assert steps["actions/checkout@v5"]["with"] == {"fetch-depth": 0, "persist-credentials": False}
    assert [name for name, step in steps.items() if "GH_TOKEN" in step.get("env", {})] == ["comment"]
    assert found["defaults"] == {"run": {"shell": "bash"}}


def test_no_recipe_names_a_host_of_packages() -> None:
    for name in ("github-actions.yaml", "gitlab-ci.yaml", "pre-commit-config.yaml"):
        assert "://" not in json.dumps(recipe(name), default=str), name
