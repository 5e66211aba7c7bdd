export { type ActivationOptions, keda } from './activation-policy.js';
