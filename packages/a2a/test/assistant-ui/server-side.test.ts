// Renders the page in Node, without a document.
import { AssistantRuntimeProvider } from '@assistant-ui/react';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { useA2AArtifacts, useA2ARuntime } from '../../src/assistant-ui/index.js';

test('a server renders the page without any request', () => {
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  const Count = (): ReactNode => `${useA2AArtifacts().length} artifacts`;
  const Page = (): ReactNode =>
    createElement(AssistantRuntimeProvider, { runtime: useA2ARuntime({ baseUrl: 'http://test' }) }, createElement(Count));
  expect(renderToString(createElement(Page))).toContain('0 artifacts');
  expect(fetch).not.toHaveBeenCalled();
});
