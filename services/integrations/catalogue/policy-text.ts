import type { ContentSecurityPolicy } from './resources.js';

/** A content security policy as the value of its header. */
export const policyText = (policy: ContentSecurityPolicy): string =>
  typeof policy === 'string'
    ? policy
    : Object.entries(policy)
        .map(([directive, value]) => `${directive} ${value}`.trim())
        .join('; ');
