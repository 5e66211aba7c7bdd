import { MessagePrimitive } from '@assistant-ui/react';
import type { ReactNode } from 'react';
import { formatMoment } from '../ui/format.js';

interface MessageFrameProps {
  /** Name of the author; also the label of the article. */
  readonly who: string;
  readonly at: string;
  readonly children: ReactNode;
}

/** One message. Author and time are next to it, or above it on a narrow screen. */
export function MessageFrame({ who, at, children }: MessageFrameProps) {
  return (
    <MessagePrimitive.Root asChild>
      <article aria-label={who} className="grid gap-x-4 px-4 py-3 md:grid-cols-[104px_minmax(0,1fr)]">
        <header className="flex items-baseline gap-2 md:flex-col md:items-end md:gap-0 md:pt-0.5">
          <bdi className="max-w-full truncate text-sm font-semibold" title={who}>
            {who}
          </bdi>
          <time className="label" dateTime={at}>
            {formatMoment(at)}
          </time>
        </header>
        <div className="min-w-0 max-w-[72ch]">{children}</div>
      </article>
    </MessagePrimitive.Root>
  );
}
