import { useSyncExternalStore } from 'react';
import { useStudio } from '../state/studio.js';

/** Turns the connection to the agent off and on, to demonstrate how a stream resumes. */
export function ConnectionSwitch() {
  const { plug } = useStudio();
  const isOn = useSyncExternalStore(plug.subscribe, () => plug.isOn);
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label="Connection"
      title={isOn ? 'Turn the connection off to see the stream resume later' : 'Turn the connection on'}
      className="quiet h-8"
      onClick={() => plug.turn(!isOn)}
    >
      <span className="hidden sm:inline">Connection</span>
      <span
        aria-hidden="true"
        className={`flex h-4 w-7 items-center rounded-full border p-px ${isOn ? 'justify-end border-accent bg-accent' : 'justify-start border-edge bg-bg'}`}
      >
        <span className={`size-3 rounded-full ${isOn ? 'bg-on-accent' : 'bg-edge'}`} />
      </span>
      <span aria-hidden="true" className="w-6 text-left font-mono">
        {isOn ? 'on' : 'off'}
      </span>
    </button>
  );
}
