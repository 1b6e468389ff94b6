// Runs before the first paint, so that no page flashes in the other colour scheme.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage may be forbidden: the system's scheme does.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
  // Zod compiles its schemas with `new Function` otherwise, which the page's policy forbids and reports.
  Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
})();
