import Database from 'libsql';

/**
 * Writes the database of the file `path`, as it is at this moment, to the new file `target`, which is not synced yet. Other processes go on
 * reading and writing. Blocks this one until it is done.
 */
export function snapshotDatabase(path: string, target: string): void {
  const database = new Database(path);
  try {
    database.pragma('busy_timeout=5000');
    database.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
    // The log grew meanwhile. A server would move it into the file in the middle of a write.
    database.pragma('wal_checkpoint(PASSIVE)');
  } finally {
    database.close();
  }
}
