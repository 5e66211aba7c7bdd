import { memo } from 'react';
import { CopyButton } from './copy-button.js';
import { PlainText } from './plain-text.js';
import { visibleName, visibleText } from './visible-text.js';

/** Shows text unformatted, with its language and a copy button. */
export const CodeBlock = memo(({ text, language = '' }: { readonly text: string; readonly language?: string | undefined }) => (
  <figure className="min-w-0 rounded-sm border border-line bg-surface">
    <figcaption className="flex h-8 items-center justify-between border-b border-line pr-1 pl-3">
      <span className="label">{visibleName(language, 40) || 'code'}</span>
      <CopyButton what={() => text} label="Copy code" />
    </figcaption>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto p-3 font-mono text-xs [&_.prose-piece]:[overflow-wrap:normal] [&_div]:whitespace-pre"
    >
      <PlainText text={visibleText(text)} />
    </pre>
  </figure>
));
