// Started by `programs.ts`. Runs programs that are bundles of `first-broken.ts`, each when it is sent. They share the
// installed packages, which take longer to load than most programs take to run.
process.on('message', (message) => void run(message));

async function run({ program, task }) {
  const { firstBroken } = await import(program);
  process.send({ broken: await firstBroken(task) });
}
