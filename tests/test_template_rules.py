"""The rule of templates is fed constructs that decide."""

import pytest

from tests.template_rules import logic


@pytest.mark.parametrize(
    "source",
    [
        "{% set a = 1 %}",
        "{{ a | join }}",
        "{% if a == 1 %}{% endif %}",
        "{{ a + 1 }}",
        "{{ a['b'] }}",
        "{{ f() }}",
        "{% include 'x' %}",
        "{% if a is defined %}{% endif %}",
        "{{ a ~ b }}",
        "{% set a %}b{% endset %}",
        "{% set a | upper %}b{% endset %}",
        "{% set a %}{{ b + 1 }}{% endset %}",
    ],
)
def test_logic_is_seen(source: str) -> None:
    assert list(logic(source))
