"""Rules for every view of the page."""
from axe_playwright_python.sync_playwright import Axe


def everything_can_be_reached(page):
    """Tab reaches every visible control in the order of the page, and each shows its focus."""
    shown = page.evaluate("""() => [...document.querySelectorAll('button, input, select, [tabindex="0"]')].filter(one =>
        one.checkVisibility() && !one.disabled && one.tabIndex >= 0).length""")
    page.locator("h1").click()
    page.evaluate("document.activeElement.blur()")
    seen = []
    for _ in range(shown):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("""() => {
            const one = document.activeElement;
            window.order ??= [...document.querySelectorAll('*')];
            return [window.order.indexOf(one), one === document.body || getComputedStyle(one).outlineStyle !== 'none'];
        }"""))
    assert len({place for place, _ in seen}) == shown, (shown, seen)
    assert all(is_visible for _, is_visible in seen), seen
    assert [place for place, _ in seen] == sorted(place for place, _ in seen), seen


def check_accessibility(page, *place):
    """No fault by the rules of WCAG 2.1 that a program can check."""
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    assert found.violations_count == 0, (*place, found.generate_report())


def does_not_overflow(page):
    page_width, width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert page_width <= width, (page_width, width)
