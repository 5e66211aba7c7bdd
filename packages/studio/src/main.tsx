import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { ErrorBoundary } from './app/error-boundary.js';
import { openStudio } from './app/open-studio.js';
import { StudioContext } from './state/studio.js';
import { startTheme } from './theme/theme.js';
import './styles.css';

startTheme();
const root = document.getElementById('root');
const studio = await openStudio();
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
