import * as Peer from '@assistant-ui/react-a2a';
import { expect, expectTypeOf, test } from 'vitest';
import type * as Cards from './card-types.js';
import * as Ours from './types.js';

type Theirs = {
  A2AAgentCapabilities: Peer.A2AAgentCapabilities;
  A2AAgentCard: Peer.A2AAgentCard;
  A2AAgentCardSignature: Peer.A2AAgentCardSignature;
  A2AAgentInterface: Peer.A2AAgentInterface;
  A2AAgentSkill: Peer.A2AAgentSkill;
  A2AApiKeySecurityScheme: Peer.A2AApiKeySecurityScheme;
  A2AAuthorizationCodeOAuthFlow: Peer.A2AAuthorizationCodeOAuthFlow;
  A2AClientCredentialsOAuthFlow: Peer.A2AClientCredentialsOAuthFlow;
  A2ADeviceCodeOAuthFlow: Peer.A2ADeviceCodeOAuthFlow;
  A2AHttpAuthSecurityScheme: Peer.A2AHttpAuthSecurityScheme;
  A2AImplicitOAuthFlow: Peer.A2AImplicitOAuthFlow;
  A2AMutualTlsSecurityScheme: Peer.A2AMutualTlsSecurityScheme;
  A2AOAuth2SecurityScheme: Peer.A2AOAuth2SecurityScheme;
  A2AOAuthFlows: Peer.A2AOAuthFlows;
  A2AOpenIdConnectSecurityScheme: Peer.A2AOpenIdConnectSecurityScheme;
  A2APasswordOAuthFlow: Peer.A2APasswordOAuthFlow;
  A2ASecurityRequirement: Peer.A2ASecurityRequirement;
  A2ASecurityScheme: Peer.A2ASecurityScheme;
  A2AArtifact: Peer.A2AArtifact;
  A2AAuthenticationInfo: Peer.A2AAuthenticationInfo;
  A2AErrorInfo: Peer.A2AErrorInfo;
  A2AListTaskPushNotificationConfigsResponse: Peer.A2AListTaskPushNotificationConfigsResponse;
  A2AListTasksRequest: Peer.A2AListTasksRequest;
  A2AListTasksResponse: Peer.A2AListTasksResponse;
  A2AMessage: Peer.A2AMessage;
  A2APart: Peer.A2APart;
  A2ARole: Peer.A2ARole;
  A2ASendMessageConfiguration: Peer.A2ASendMessageConfiguration;
  A2AStreamEvent: Peer.A2AStreamEvent;
  A2ATask: Peer.A2ATask;
  A2ATaskArtifactUpdateEvent: Peer.A2ATaskArtifactUpdateEvent;
  A2ATaskPushNotificationConfig: Peer.A2ATaskPushNotificationConfig;
  A2ATaskState: Peer.A2ATaskState;
  A2ATaskStatus: Peer.A2ATaskStatus;
  A2ATaskStatusUpdateEvent: Peer.A2ATaskStatusUpdateEvent;
};

type Own = {
  A2AAgentCapabilities: Cards.A2AAgentCapabilities;
  A2AAgentCard: Cards.A2AAgentCard;
  A2AAgentCardSignature: Cards.A2AAgentCardSignature;
  A2AAgentInterface: Cards.A2AAgentInterface;
  A2AAgentSkill: Cards.A2AAgentSkill;
  A2AApiKeySecurityScheme: Cards.A2AApiKeySecurityScheme;
  A2AAuthorizationCodeOAuthFlow: Cards.A2AAuthorizationCodeOAuthFlow;
  A2AClientCredentialsOAuthFlow: Cards.A2AClientCredentialsOAuthFlow;
  A2ADeviceCodeOAuthFlow: Cards.A2ADeviceCodeOAuthFlow;
  A2AHttpAuthSecurityScheme: Cards.A2AHttpAuthSecurityScheme;
  A2AImplicitOAuthFlow: Cards.A2AImplicitOAuthFlow;
  A2AMutualTlsSecurityScheme: Cards.A2AMutualTlsSecurityScheme;
  A2AOAuth2SecurityScheme: Cards.A2AOAuth2SecurityScheme;
  A2AOAuthFlows: Cards.A2AOAuthFlows;
  A2AOpenIdConnectSecurityScheme: Cards.A2AOpenIdConnectSecurityScheme;
  A2APasswordOAuthFlow: Cards.A2APasswordOAuthFlow;
  A2ASecurityRequirement: Cards.A2ASecurityRequirement;
  A2ASecurityScheme: Cards.A2ASecurityScheme;
  A2AArtifact: Ours.A2AArtifact;
  A2AAuthenticationInfo: Ours.A2AAuthenticationInfo;
  A2AErrorInfo: Ours.A2AErrorInfo;
  A2AListTaskPushNotificationConfigsResponse: Ours.A2AListTaskPushNotificationConfigsResponse;
  A2AListTasksRequest: Ours.A2AListTasksRequest;
  A2AListTasksResponse: Ours.A2AListTasksResponse;
  A2AMessage: Ours.A2AMessage;
  A2APart: Ours.A2APart;
  A2ARole: Ours.A2ARole;
  A2ASendMessageConfiguration: Ours.A2ASendMessageConfiguration;
  A2AStreamEvent: Ours.A2AStreamEvent;
  A2ATask: Ours.A2ATask;
  A2ATaskArtifactUpdateEvent: Ours.A2ATaskArtifactUpdateEvent;
  A2ATaskPushNotificationConfig: Ours.A2ATaskPushNotificationConfig;
  A2ATaskState: Ours.A2ATaskState;
  A2ATaskStatus: Ours.A2ATaskStatus;
  A2ATaskStatusUpdateEvent: Ours.A2ATaskStatusUpdateEvent;
};

test('every type of react-a2a has the same shape here', () => {
  expectTypeOf<Own>().toEqualTypeOf<Theirs>();
  expect(Ours.A2A_PROTOCOL_VERSION).toBe(Peer.A2A_PROTOCOL_VERSION);
});

test('U13: a switch over the type of an event is complete without a default', () => {
  const whatOf = (event: Ours.A2AStreamEvent): string => {
    switch (event.type) {
      case 'task':
        return event.task.id;
      case 'message':
        return event.message.messageId;
      case 'statusUpdate':
        return event.event.status.state;
      case 'artifactUpdate':
        return event.event.artifact.artifactId;
      default:
        return expectNever(event);
    }
  };
  const status = { taskId: 't', contextId: 'c', status: { state: 'working' } } as const;
  expect(whatOf({ type: 'statusUpdate', event: status })).toBe('working');
});

function expectNever(event: never): string {
  return `unknown event ${JSON.stringify(event)}`;
}
