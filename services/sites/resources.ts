export * from './customization/locales/resources.js';
export * from './customization/resources.js';
export * from './mcp-servers/resources.js';
export * from './publishing/resources.js';
export * from './redirects/resources.js';
export * from './sections/resources.js';
export * from './site/resources.js';
export * from './visiting/resources.js';
