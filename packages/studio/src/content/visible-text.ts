/** Names, cards and code come from an untrusted agent. Characters that hide or reorder the text around them are shown as code points. */

/**
 * First and last code point of each range: controls except tab and newline, soft hyphen, zero-width and bidirectional marks, line
 * separators, tags, the byte order mark.
 */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
];

const hex = (code: number): string => code.toString(16);
const PATTERN = new RegExp(`[${HIDDEN.map(([first, last]) => `\\u{${hex(first)}}-\\u{${hex(last)}}`).join('')}]`, 'gu');

export function visibleText(text: string): string {
  return text.replace(
    PATTERN,
    (character) =>
      `⟨U+${hex(character.codePointAt(0) ?? 0)
        .toUpperCase()
        .padStart(4, '0')}⟩`,
  );
}

/** Text on one line, cut at `maxLength` characters. */
export function visibleName(text: string, maxLength = 200): string {
  const line = visibleText(
    text
      .slice(0, maxLength + 1)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
