import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';

const require = createRequire(import.meta.url);

register();
process.setSourceMapsEnabled(true);

/**
 * A runtime of jest without contexts: Node itself loads a module, once for all test files that a worker runs. With a context for each file, more than
 * half of the processor time of the tests beside the code went into loading the same modules again. The price: a file finds modules as the one
 * before has left them.
 */
export default class PlainRuntime {
  /** The framework that holds the tests of a file: each file begins with an empty one. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return new Map();
  }

  // What jest calls too, and what a runtime without contexts, mocks of modules and coverage has nothing to do for.
  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  getAllCoverageInfoCopy() {}
  teardown() {}
}
