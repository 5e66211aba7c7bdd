/** Shares the connection switch between tabs: only one tab holds the stream, and the user does not know which. */
import type { SwitchableFetch } from './switchable-fetch.js';

const NAME = 'parley:studio:connection';

export function sharePlug(plug: SwitchableFetch): void {
  if (!('BroadcastChannel' in globalThis)) return;
  const channel = new BroadcastChannel(NAME);
  let isFromElsewhere = false;
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'ask' && !plug.isOn) channel.postMessage('off');
    if (data !== 'on' && data !== 'off') return;
    isFromElsewhere = true;
    plug.turn(data === 'on');
    isFromElsewhere = false;
  };
  plug.subscribe(() => {
    if (!isFromElsewhere) channel.postMessage(plug.isOn ? 'on' : 'off');
  });
  channel.postMessage('ask'); // a new tab adopts the state of the other tabs
}
