import { type PlotOptions, plot } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Phase } from '../../formats/architecture.ts';
import { toPrintable } from '../../printable.ts';
import { html, Markup } from '../html.ts';

/** The widths a figure is drawn at, in CSS pixels: one for desks and paper, one for phones. */
const widths = { wide: 1000, narrow: 360 };

export type Size = keyof typeof widths;

/** What a figure needs beside its marks. */
export interface Figure {
  /** What it shows, for those who do not see it. */
  description: string;
  caption: Markup;
  draw(size: Size, width: number): PlotOptions;
}

/** A figure as SVG without scripts or styles of its own; its colours are the page's variables. */
export function renderFigure({ description, caption, draw }: Figure): Markup {
  const drawings = Object.entries(widths).map(([size, width]) => {
    const svg = drawSvg({ width, ariaLabel: description, ...draw(size as Size, width) });
    return html`<div class="${size}">${svg}</div>`;
  });
  return html`<figure>${drawings}<figcaption>${caption}</figcaption></figure>`;
}

function drawSvg(options: PlotOptions): Markup {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const svg = plot({ document, ...options });
  svg.querySelector('style')?.remove();
  svg.setAttribute('role', 'img');
  svg.setAttribute('font-size', '11');
  svg.removeAttribute('font-family');
  return new Markup(toPrintable(svg.outerHTML)); // names stand in it as text
}

/** Phases side by side where there is room, one above the other where there is not. */
export function placeBy(size: Size): { fx: 'phase' } | { fy: 'phase' } {
  return size === 'wide' ? { fx: 'phase' } : { fy: 'phase' };
}

/** The scale for `placeBy`; one above the other needs room between the axes. */
export function facetsBy(size: Size, phases: readonly Phase[]): PlotOptions {
  const domain = { domain: [...phases], label: null };
  return size === 'wide'
    ? { fx: { ...domain, padding: 0.06 } }
    : { fy: { ...domain, padding: 0.14 } };
}

export function colourOfPhase({ phase }: { phase: Phase }): string {
  return `var(--${phase})`;
}

/** A signed number of percent for an axis. */
export function formatTick(percent: number): string {
  return percent > 0 ? `+${percent}` : `${percent}`;
}
