export * from './accounts/resources.js';
export * from './audit/resources.js';
export * from './domains/resources.js';
export * from './joining/resources.js';
export * from './organizations/resources.js';
export * from './saml/resources.js';
export * from './teams/resources.js';
export * from './users/resources.js';
