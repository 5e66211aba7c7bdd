// Starts one PostgreSQL and one Redis for the whole test run. If one cannot start, the run fails; it never skips tests.
import { installPostgres, startPostgres } from './postgres.mjs';
import { installRedis, startRedis } from './redis.mjs';

/** @param {{ provide(name: 'postgresUrl' | 'redisUrl', value: string): void }} project */
export default async function setup({ provide }) {
  installPostgres();
  installRedis();
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  provide('postgresUrl', postgres.url);
  provide('redisUrl', redis.url);
  return async () => {
    await Promise.all([postgres.remove(), redis.remove()]);
  };
}
