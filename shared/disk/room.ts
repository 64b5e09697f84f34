import { statfs } from 'node:fs/promises';
import type { Log } from '../monitoring/log.js';
import { diskFull } from './full.js';

/** The room on the disk of a folder. Work that can wait leaves a reserve, so that what runs can be brought to its end. */
export interface Room {
  /** Throws UNAVAILABLE while only the reserve is left. */
  refuseIfFull(): void;
  close(): void;
}

const lookMs = 500;
const reserveBytes = 64 * 1024 ** 2;
/** Share of the disk to keep free, on one so small that this is less than the bytes above. */
const reserveShare = 0.05;

/** Watches the disk that holds `folder`, which messages call `what`. */
export async function watchRoom(folder: string, what: string, log: Log): Promise<Room> {
  let short = false;
  const measureRoom = async () => {
    const { bavail, blocks, bsize } = await statfs(folder);
    const before = short;
    short = bavail * bsize < Math.min(reserveBytes, blocks * bsize * reserveShare);
    if (short && !before) log.error({ free: bavail * bsize }, `the disk of ${what} is full: writes are refused`);
    if (before && !short) log.info(`the disk of ${what} has room again`);
  };
  await measureRoom();
  // A folder that cannot be looked at fails by itself where it is used.
  const looking = setInterval(() => void measureRoom().catch(() => undefined), lookMs).unref();
  return {
    refuseIfFull() {
      if (short) throw diskFull(what, Object.assign(new Error('only the reserve is left'), { code: 'ENOSPC' }));
    },
    close: () => clearInterval(looking),
  };
}

export type HasRoom = { room: Room };
