// node examples/cluster/main.mjs: three nodes, a database and a round-robin on this machine. It shows what happens when a node is killed,
// then stays for you to try; with --check it ends there. Run `npm run build` before.
import { ownPort } from '../../scripts/own-port.mjs';
import { startCluster } from './cluster.mjs';
import { seeTakeOver } from './take-over.mjs';

const isCheck = process.argv.includes('--check');
const port = isCheck ? await ownPort() : Number(process.env.PORT ?? 4000);
const cluster = await startCluster(port).catch((error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${port} is in use: choose another, such as PORT=${port + 1}.` : error);
  process.exit(1);
});
const { url, nodes, databaseUrl, close } = cluster;

console.log(`
The round-robin is at ${url}. Behind it:

${nodes.map((node) => `  ${node.url}   process ${node.pid()}`).join('\n')}
  ${databaseUrl}

A client asks the agent to count.
`);
try {
  await seeTakeOver(cluster, (line) => console.log(`  ${line}`));
  if (!isCheck) await stay();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await close();
}

/** Until Ctrl-C. */
async function stay() {
  console.log(`
Now you. A node that dies is started again after five seconds; Ctrl-C stops all.

  node examples/calling-an-agent/call.mjs ${url}   # and, while it counts:
  kill -9 PID          # of the process that counts
  curl -i ${nodes[0]?.url}/-/ready
`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
}
