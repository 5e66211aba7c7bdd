import { createClient } from '@parley/a2a/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createAgentStore } from './app/agent-store.js';
import { App } from './app/app.js';
import { ErrorBoundary } from './app/error-boundary.js';
import { StudioContext } from './app/studio.js';
import { createSwitchableFetch } from './connection/switchable-fetch.js';
import { startTheme } from './theme/theme.js';
import './styles.css';

const root = document.getElementById('root');
startTheme();
const plug = createSwitchableFetch(globalThis.fetch.bind(globalThis));
/** An artifact of this size still fits into a page; its default is made for servers. */
const MAX_EVENT_BYTES = 128 * 1024 * 1024;
const client = createClient(location.origin, { fetch: plug.fetch, contexts: false, maxResponseBytes: MAX_EVENT_BYTES });
const studio = { client, plug, agent: createAgentStore(client) };
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <StudioContext.Provider value={studio}>
          <App />
        </StudioContext.Provider>
      </ErrorBoundary>
    </StrictMode>,
  );
}
