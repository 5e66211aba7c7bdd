// Starts workerd, which takes its configuration as one text.
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { startProgram } from './process.mjs';
import { binary } from './tools.mjs';

/**
 * Serves a bundled worker on a free port.
 * @param {string} script path of the bundle
 * @param {{ object?: string }} [options] the class of its Durable Object, bound as AGENT
 */
export async function startWorker(script, { object = '' } = {}) {
  const config = join(dirname(script), `${basename(script, '.js')}.capnp`);
  await writeFile(config, toConfig(basename(script), object));
  const args = ['serve', '--control-fd=1', config];
  const { match, stop } = await startProgram(binary('workerd'), args, { until: /"event":"listen","socket":"http","port":(\d+)/ });
  return { url: `http://127.0.0.1:${match[1]}`, stop };
}

/**
 * Allows only the local network.
 * @param {string} script
 * @param {string} object
 */
function toConfig(script, object) {
  const durable = `
  durableObjectNamespaces = [(className = "${object}", uniqueKey = "parley")],
  durableObjectStorage = (inMemory = void),
  bindings = [(name = "AGENT", durableObjectNamespace = "${object}")],`;
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["local", "private"], deny = [])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "${script}")],
  compatibilityDate = "2026-01-01",
  globalOutbound = "internet",${object === '' ? '' : durable}
);
`;
}
