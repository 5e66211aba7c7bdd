// node examples/cluster/main.mjs: runs three nodes, a database and a round-robin load balancer on this machine. It kills a node to show
// what happens, then keeps running for you to try. With --check it ends there. Run `npm run build` first.
import { ownPort } from '../../scripts/own-port.mjs';
import { startCluster } from './cluster.mjs';
import { seeTakeOver } from './take-over.mjs';

const isCheck = process.argv.includes('--check');
const port = isCheck ? await ownPort() : Number(process.env.PORT ?? 4000);
const cluster = await startCluster(port).catch((error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${port} is in use. Choose another one, for example PORT=${port + 1}.` : error);
  process.exit(1);
});
const { url, nodes, databaseUrl, close } = cluster;

console.log(`
The load balancer listens at ${url}. Behind it:

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

/** Waits for Ctrl-C. */
async function stay() {
  console.log(`
Try it yourself. A node that dies restarts after five seconds; Ctrl-C stops everything.

  node examples/calling-an-agent/call.mjs ${url}   # and, while it counts:
  kill -9 PID          # of the process that counts
  curl -i ${nodes[0]?.url}/-/ready
`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
}
