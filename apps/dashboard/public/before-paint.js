// Runs before the first paint, so that the page does not flash in the wrong color scheme.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage may be blocked: use the system's scheme.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
  // Otherwise zod compiles its schemas with `new Function`, which the content security policy forbids.
  Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
})();
