// biome-ignore-all format: code from the documentation of @assistant-ui/react-a2a, unchanged
// biome-ignore-all lint/correctness/noUnusedVariables: the samples do not use all their variables
// biome-ignore-all assist/source/organizeImports: unchanged, as in the documentation
/** Code written for `@assistant-ui/react-a2a`, with the only change that Parley needs: the package name. */
import { A2AClient } from "@parley/a2a/assistant-ui";
import { useA2ATask } from "@parley/a2a/assistant-ui";
import { useA2AArtifacts } from "@parley/a2a/assistant-ui";
import { useA2AAgentCard } from "@parley/a2a/assistant-ui";
import { A2AError } from "@parley/a2a/assistant-ui";
import { useA2ARuntime } from "@parley/a2a/assistant-ui";

/** "A2AClient" */
export function clientSample() {
const client = new A2AClient({
  baseUrl: "https://my-agent.example.com",
  headers: { Authorization: "Bearer <token>" },
  tenant: "my-org",
  extensions: ["urn:a2a:ext:my-extension"],
});
return client;
}

/** "Pass a pre-built client to useA2ARuntime" */
export function useClientSample({ client }: { client: A2AClient }) {
const runtime = useA2ARuntime({ client });
return runtime;
}

/** "Task state" */
export
function TaskStatus() {
  const task = useA2ATask();
  if (!task) return null;
  return (
    <div>
      Task {task.id}: {task.status.state}
    </div>
  );
}

/** "Artifacts list" */
export
function ArtifactList() {
  const artifacts = useA2AArtifacts();
  return (
    <ul>
      {artifacts.map((artifact) => (
        <li key={artifact.artifactId}>
          {artifact.name}: {artifact.parts.length} parts
        </li>
      ))}
    </ul>
  );
}

/** "Agent card" */
export
function AgentInfo() {
  const card = useA2AAgentCard();
  if (!card) return null;
  return (
    <div>
      <h3>{card.name}</h3>
      <p>{card.description}</p>
      <div>Skills: {card.skills.map((s) => s.name).join(", ")}</div>
    </div>
  );
}

/** "Artifacts" */
export function useArtifactSample() {
const runtime = useA2ARuntime({
  baseUrl: "http://localhost:9999",
  onArtifactComplete: (artifact) => {
    console.log("Artifact ready:", artifact.name);
  },
});
return runtime;
}

/** "Error handling" */
export function useErrorSample() {
const runtime = useA2ARuntime({
  baseUrl: "http://localhost:9999",
  onError: (error) => {
    if (error instanceof A2AError) {
      console.log(error.code); // HTTP status code
      console.log(error.status); // e.g. "NOT_FOUND"
      console.log(error.details); // google.rpc.ErrorInfo details
    }
  },
});
return runtime;
}

/** "Multi-tenancy" */
export function tenantSample() {
const client = new A2AClient({
  baseUrl: "https://agent.example.com",
  tenant: "my-org",
});
return client;
}
