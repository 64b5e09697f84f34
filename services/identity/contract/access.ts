export const anyUser = { caller: ['user'] } as const;
