/** The code of a page did not arrive: there is no connection, or the service has a newer version. */
export class PageNotLoaded extends Error {}

/**
 * The module of a page. A failure gets an error of its own: at the browser's, the router would load the page again, and
 * without a connection nothing but the browser's error page would be left.
 */
export async function loaded<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (cause) {
    throw new PageNotLoaded('The code of the page did not arrive.', { cause });
  }
}
