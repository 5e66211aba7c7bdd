import { useEffect, useState } from 'react';

interface CopyButtonProps {
  readonly what: () => string;
  readonly label?: string;
}

const SHOWN_MS = 1_500;

export function CopyButton({ what, label = 'Copy' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'Copied' | 'Copy failed: select the text instead' | undefined>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(what()).then(
      () => setOutcome('Copied'),
      () => setOutcome('Copy failed: select the text instead'),
    );
  return (
    <button type="button" className="quiet" aria-label={label} onClick={() => void copy()}>
      <span aria-live="polite">{outcome ?? 'Copy'}</span>
    </button>
  );
}
