import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './icons.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Uses the native `<dialog>`: it traps the focus, closes on Escape and restores the focus. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: this closes the dialog on a click outside; Escape closes it too
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="m-auto w-[min(720px,calc(100vw-32px))] max-h-[min(800px,calc(100dvh-32px))] rounded-sm border border-edge bg-bg p-0 text-ink"
    >
      <div className="flex max-h-[inherit] flex-col">
        <header className="flex h-12 shrink-0 items-center justify-between border-b border-line pr-2 pl-4">
          <h2 id={heading} className="truncate font-semibold">
            {title}
          </h2>
          <button type="button" className="quiet h-8" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
      </div>
    </dialog>
  );
}
