export * from './embeds/resources.js';
export * from './links/resources.js';
export * from './pages/resources.js';
export * from './search/resources.js';
