import { escapeMarkdown } from '../markdown.ts';

/** Words of others as text, not as Markdown or HTML. */
export const asText = escapeMarkdown;
