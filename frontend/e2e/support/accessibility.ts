import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(resolve('package.json')).resolve('axe-core/axe.min.js'), 'utf8');
const reportedImpacts: readonly (string | null | undefined)[] = ['serious', 'critical'];

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** The rules of WCAG 2.2 A and AA. */
const ALL_RULES: axe.RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
/** Those whose result depends on colours. A theme changes nothing else. */
const COLOUR_RULES: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Serious violations of WCAG 2.2 A and AA, each with its elements; with `coloursOnly`, of the rules about colours. */
export async function accessibilityViolations(page: Page, { coloursOnly = false } = {}): Promise<readonly string[]> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(source);
  const violations = await page.evaluate(
    async (runOnly) => {
      const found = await window.axe?.run(document, { runOnly, resultTypes: ['violations'] });
      return (found?.violations ?? []).map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html.slice(0, 160)) }));
    },
    coloursOnly ? COLOUR_RULES : ALL_RULES,
  );
  return violations.filter(({ impact }) => reportedImpacts.includes(impact)).map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`);
}

/** CSS pixels by which the page can be scrolled horizontally. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - document.documentElement.clientWidth);

/** CSS pixels by which an open dialog can be scrolled out of its place, as a focused control would: only its body scrolls. */
export const dialogOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, ...[...document.querySelectorAll('.scrim')].map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)));
