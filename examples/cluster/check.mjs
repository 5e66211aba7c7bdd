process.argv.push('--check');
await import('./main.mjs');
