/** For our tests and yours: a clock, a store and an executor that do as they are told, and the contracts that stores and buses keep. */
export { type BusCheck, busContract, type CreateBusEnds } from './bus-contract.js';
export { type CommitFault, type FailingStore, type FaultPlan, failingStore } from './failing-store.js';
export { type FakeBrowser, type FakeBrowserOptions, type FakeTab, fakeBrowser } from './fake-browser.js';
export { faultFetch } from './fault-fetch.js';
export { type FaultProxy, type FaultProxyOptions, faultProxy } from './fault-proxy.js';
export { type FaultServer, faultServer } from './fault-server.js';
export type { FaultPosition, NetworkFault, NetworkPlan } from './faults/network-fault.js';
export type { FaultLeg, FaultLegs, FaultPeerOptions, FaultScript, PhaseDelays, ScriptedEvent } from './faults/script.js';
export { pickFreePort } from './free-port.js';
export { type HandClock, handClock } from './hand-clock.js';
export type { RecordedOperation, RecordedRequest } from './recorded-request.js';
export { type MoreSteps, type ScriptedExecutor, type ScriptStep, scriptedExecutor } from './scripted-executor.js';
export { seededRandom } from './seeded-random.js';
export { sequentialIds } from './sequential-ids.js';
export { storeContract } from './store-contract/index.js';
export type { CreateStore, StoreCheck } from './store-contract/samples.js';
export { createTestFetch, type TestFetch, type TestFetchOptions } from './test-fetch.js';
export { withFaults } from './with-faults.js';
