/**
 * Factor for the usual length of each deadline, lease, window and give-up time of this process: `TIME_SCALE` of its environment, 1 by
 * default. The constants of the product are made when its modules load, which is before `.env` is read, so `.env` cannot set it; `readConfig`
 * says so, and checks its bounds.
 */
export const timeScale = Number(process.env.TIME_SCALE) || 1;

/** Scales a deadline, lease, window or give-up time of `ms` milliseconds. Rhythms, pauses and ages of data are not scaled. */
export const scaleMs = (ms: number): number => ms * timeScale;
