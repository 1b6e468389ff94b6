import { lazyRouteComponent } from '@tanstack/react-router';

/** The browser could not download the code of a page: it is offline, or the service has a newer version. */
export class PageNotLoaded extends Error {}

/**
 * Loads the module of a page. A failure becomes a `PageNotLoaded`: the router reloads the page when it sees the
 * browser's own error, and offline that would show only the browser's error page.
 */
async function loaded<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (cause) {
    throw new PageNotLoaded('The code of the page could not be downloaded.', { cause });
  }
}

/** The component of a page, downloaded when the page is first opened. */
export const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loaded(load()), name);
