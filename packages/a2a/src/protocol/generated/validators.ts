// Generated from model/a2a-1.0.json by `npm run generate`. Do not edit.
// @ts-nocheck: compiled code; only the table at its end is typed.
import { isDeep } from '../nesting.js';
import type { Validators } from '../validator.js';
function fail(validate, instancePath, keyword, params){
validate.errors = [{instancePath,keyword,params}];
return false;
}
function validate23(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.scheme === undefined) && (missing0 = "scheme")){
return fail(validate23, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "scheme") || (key0 === "credentials"))){
return fail(validate23, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.scheme !== undefined){
let data0 = data.scheme;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate23, instancePath+"/scheme", "minUnits", { limit: 1 });
}
}
else {
return fail(validate23, instancePath+"/scheme", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.credentials !== undefined){
let data1 = data.credentials;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate23, instancePath+"/credentials", "minUnits", { limit: 1 });
}
}
else {
return fail(validate23, instancePath+"/credentials", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
return fail(validate23, instancePath, "type", {type: "object"});
}
}
validate23.errors = vErrors;
return errors === 0;
}
function validate22(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.url === undefined) && (missing0 = "url")){
return fail(validate22, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "tenant") || (key0 === "id")) || (key0 === "taskId")) || (key0 === "url")) || (key0 === "token")) || (key0 === "authentication"))){
return fail(validate22, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate22, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate22, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate22, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data1 = data.id;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate22, instancePath+"/id", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate22, instancePath+"/id", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate22, instancePath+"/id", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.taskId !== undefined){
let data2 = data.taskId;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate22, instancePath+"/taskId", "minUnits", { limit: 1 });
}
else {
if(data2.length > 256){
return fail(validate22, instancePath+"/taskId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate22, instancePath+"/taskId", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.url !== undefined){
let data3 = data.url;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data3 === "string"){
if(data3.length < 1){
return fail(validate22, instancePath+"/url", "minUnits", { limit: 1 });
}
}
else {
return fail(validate22, instancePath+"/url", "type", {type: "string"});
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.token !== undefined){
let data4 = data.token;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data4 === "string"){
if(data4.length < 1){
return fail(validate22, instancePath+"/token", "minUnits", { limit: 1 });
}
}
else {
return fail(validate22, instancePath+"/token", "type", {type: "string"});
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.authentication !== undefined){
const _errs12 = errors;
if(!(validate23(data.authentication, {instancePath:instancePath+"/authentication"}))){
vErrors = validate23.errors;
errors = 1;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
return fail(validate22, instancePath, "type", {type: "object"});
}
}
validate22.errors = vErrors;
return errors === 0;
}
function validate21(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "acceptedOutputModes") || (key0 === "taskPushNotificationConfig")) || (key0 === "historyLength")) || (key0 === "returnImmediately"))){
return fail(validate21, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.acceptedOutputModes !== undefined){
let data0 = data.acceptedOutputModes;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(typeof data0[i0] !== "string"){
return fail(validate21, instancePath+"/acceptedOutputModes/" + i0, "type", {type: "string"});
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate21, instancePath+"/acceptedOutputModes", "type", {type: "array"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.taskPushNotificationConfig !== undefined){
const _errs6 = errors;
if(!(validate22(data.taskPushNotificationConfig, {instancePath:instancePath+"/taskPushNotificationConfig"}))){
vErrors = validate22.errors;
errors = 1;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.historyLength !== undefined){
let data3 = data.historyLength;
const _errs7 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
return fail(validate21, instancePath+"/historyLength", "type", {type: "integer"});
}
if(errors === _errs7){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 2147483647 || isNaN(data3)){
return fail(validate21, instancePath+"/historyLength", "maximum", {comparison: "<=", limit: 2147483647});
}
else {
if(data3 < 0 || isNaN(data3)){
return fail(validate21, instancePath+"/historyLength", "minimum", {comparison: ">=", limit: 0});
}
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.returnImmediately !== undefined){
const _errs9 = errors;
if(typeof data.returnImmediately !== "boolean"){
return fail(validate21, instancePath+"/returnImmediately", "type", {type: "boolean"});
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate21, instancePath, "type", {type: "object"});
}
}
validate21.errors = vErrors;
return errors === 0;
}
const schema10 = {"properties":{"state":{"enum":["TASK_STATE_SUBMITTED","TASK_STATE_WORKING","TASK_STATE_COMPLETED","TASK_STATE_FAILED","TASK_STATE_CANCELED","TASK_STATE_INPUT_REQUIRED","TASK_STATE_REJECTED","TASK_STATE_AUTH_REQUIRED"]}}};
const schema11 = {"properties":{"role":{"enum":["ROLE_USER","ROLE_AGENT"]}}};
function validate29(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((((((key0 === "text") || (key0 === "raw")) || (key0 === "url")) || (key0 === "data")) || (key0 === "metadata")) || (key0 === "filename")) || (key0 === "mediaType"))){
return fail(validate29, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.text !== undefined){
const _errs2 = errors;
if(typeof data.text !== "string"){
return fail(validate29, instancePath+"/text", "type", {type: "string"});
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.raw !== undefined){
let data1 = data.raw;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data1)){
return fail(validate29, instancePath+"/raw", "base64", { limit: true });
}
}
else {
return fail(validate29, instancePath+"/raw", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.url !== undefined){
const _errs6 = errors;
if(typeof data.url !== "string"){
return fail(validate29, instancePath+"/url", "type", {type: "string"});
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
const _errs8 = errors;
if(isDeep(data.data)){
return fail(validate29, instancePath+"/data", "shallow", { limit: true });
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data4 = data.metadata;
const _errs9 = errors;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
return fail(validate29, instancePath+"/metadata", "type", {type: "object"});
}
if(isDeep(data4)){
return fail(validate29, instancePath+"/metadata", "shallow", { limit: true });
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.filename !== undefined){
let data5 = data.filename;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data5 === "string"){
if(data5.length < 1){
return fail(validate29, instancePath+"/filename", "minUnits", { limit: 1 });
}
}
else {
return fail(validate29, instancePath+"/filename", "type", {type: "string"});
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mediaType !== undefined){
let data6 = data.mediaType;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data6 === "string"){
if(data6.length < 1){
return fail(validate29, instancePath+"/mediaType", "minUnits", { limit: 1 });
}
}
else {
return fail(validate29, instancePath+"/mediaType", "type", {type: "string"});
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if((data["text"] !== undefined ? 1 : 0) + (data["raw"] !== undefined ? 1 : 0) + (data["url"] !== undefined ? 1 : 0) + (data["data"] !== undefined ? 1 : 0) !== 1){
return fail(validate29, instancePath, "exactlyOne", { limit: "text, raw, url, data" });
}
}
}
}
}
}
}
}
}
}
else {
return fail(validate29, instancePath, "type", {type: "object"});
}
}
validate29.errors = vErrors;
return errors === 0;
}
function validate28(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.messageId === undefined) && (missing0 = "messageId")) || ((data.role === undefined) && (missing0 = "role"))) || ((data.parts === undefined) && (missing0 = "parts"))){
return fail(validate28, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "messageId") || (key0 === "contextId")) || (key0 === "taskId")) || (key0 === "role")) || (key0 === "parts")) || (key0 === "metadata")) || (key0 === "extensions")) || (key0 === "referenceTaskIds"))){
return fail(validate28, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.messageId !== undefined){
let data0 = data.messageId;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate28, instancePath+"/messageId", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate28, instancePath+"/messageId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate28, instancePath+"/messageId", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.contextId !== undefined){
let data1 = data.contextId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate28, instancePath+"/contextId", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate28, instancePath+"/contextId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate28, instancePath+"/contextId", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.taskId !== undefined){
let data2 = data.taskId;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate28, instancePath+"/taskId", "minUnits", { limit: 1 });
}
else {
if(data2.length > 256){
return fail(validate28, instancePath+"/taskId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate28, instancePath+"/taskId", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.role !== undefined){
let data3 = data.role;
const _errs8 = errors;
if(typeof data3 !== "string"){
return fail(validate28, instancePath+"/role", "type", {type: "string"});
}
if(!((data3 === "ROLE_USER") || (data3 === "ROLE_AGENT"))){
return fail(validate28, instancePath+"/role", "enum", {allowedValues: schema11.properties.role.enum});
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parts !== undefined){
let data4 = data.parts;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data4)){
if(data4.length > 100){
return fail(validate28, instancePath+"/parts", "maxItems", {limit: 100});
}
else {
if(data4.length < 1){
return fail(validate28, instancePath+"/parts", "minItems", {limit: 1});
}
else {
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
const _errs12 = errors;
if(!(validate29(data4[i0], {instancePath:instancePath+"/parts/" + i0}))){
vErrors = validate29.errors;
errors = 1;
}
var valid1 = _errs12 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
return fail(validate28, instancePath+"/parts", "type", {type: "array"});
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data6 = data.metadata;
const _errs13 = errors;
if(!(data6 && typeof data6 == "object" && !Array.isArray(data6))){
return fail(validate28, instancePath+"/metadata", "type", {type: "object"});
}
if(isDeep(data6)){
return fail(validate28, instancePath+"/metadata", "shallow", { limit: true });
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extensions !== undefined){
let data7 = data.extensions;
const _errs15 = errors;
if(errors === _errs15){
if(Array.isArray(data7)){
var valid2 = true;
const len1 = data7.length;
for(let i1=0; i1<len1; i1++){
const _errs17 = errors;
if(typeof data7[i1] !== "string"){
return fail(validate28, instancePath+"/extensions/" + i1, "type", {type: "string"});
}
var valid2 = _errs17 === errors;
if(!valid2){
break;
}
}
}
else {
return fail(validate28, instancePath+"/extensions", "type", {type: "array"});
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.referenceTaskIds !== undefined){
let data9 = data.referenceTaskIds;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data9)){
var valid3 = true;
const len2 = data9.length;
for(let i2=0; i2<len2; i2++){
let data10 = data9[i2];
const _errs21 = errors;
if(errors === _errs21){
if(typeof data10 === "string"){
if(data10.length < 1){
return fail(validate28, instancePath+"/referenceTaskIds/" + i2, "minUnits", { limit: 1 });
}
else {
if(data10.length > 256){
return fail(validate28, instancePath+"/referenceTaskIds/" + i2, "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate28, instancePath+"/referenceTaskIds/" + i2, "type", {type: "string"});
}
}
var valid3 = _errs21 === errors;
if(!valid3){
break;
}
}
}
else {
return fail(validate28, instancePath+"/referenceTaskIds", "type", {type: "array"});
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
return fail(validate28, instancePath, "type", {type: "object"});
}
}
validate28.errors = vErrors;
return errors === 0;
}
const pattern0 = new RegExp("^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?Z$", "");
function validate27(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.state === undefined) && (missing0 = "state")){
return fail(validate27, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "state") || (key0 === "message")) || (key0 === "timestamp"))){
return fail(validate27, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.state !== undefined){
let data0 = data.state;
const _errs2 = errors;
if(typeof data0 !== "string"){
return fail(validate27, instancePath+"/state", "type", {type: "string"});
}
if(!((((((((data0 === "TASK_STATE_SUBMITTED") || (data0 === "TASK_STATE_WORKING")) || (data0 === "TASK_STATE_COMPLETED")) || (data0 === "TASK_STATE_FAILED")) || (data0 === "TASK_STATE_CANCELED")) || (data0 === "TASK_STATE_INPUT_REQUIRED")) || (data0 === "TASK_STATE_REJECTED")) || (data0 === "TASK_STATE_AUTH_REQUIRED"))){
return fail(validate27, instancePath+"/state", "enum", {allowedValues: schema10.properties.state.enum});
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs4 = errors;
if(!(validate28(data.message, {instancePath:instancePath+"/message"}))){
vErrors = validate28.errors;
errors = 1;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.timestamp !== undefined){
let data2 = data.timestamp;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
return fail(validate27, instancePath+"/timestamp", "pattern", {pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?Z$"});
}
}
else {
return fail(validate27, instancePath+"/timestamp", "type", {type: "string"});
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate27, instancePath, "type", {type: "object"});
}
}
validate27.errors = vErrors;
return errors === 0;
}
function validate33(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.artifactId === undefined) && (missing0 = "artifactId")) || ((data.parts === undefined) && (missing0 = "parts"))){
return fail(validate33, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "artifactId") || (key0 === "name")) || (key0 === "description")) || (key0 === "parts")) || (key0 === "metadata")) || (key0 === "extensions"))){
return fail(validate33, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.artifactId !== undefined){
let data0 = data.artifactId;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate33, instancePath+"/artifactId", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate33, instancePath+"/artifactId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate33, instancePath+"/artifactId", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate33, instancePath+"/name", "minUnits", { limit: 1 });
}
}
else {
return fail(validate33, instancePath+"/name", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.description !== undefined){
let data2 = data.description;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate33, instancePath+"/description", "minUnits", { limit: 1 });
}
}
else {
return fail(validate33, instancePath+"/description", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parts !== undefined){
let data3 = data.parts;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data3)){
if(data3.length < 1){
return fail(validate33, instancePath+"/parts", "minItems", {limit: 1});
}
else {
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs10 = errors;
if(!(validate29(data3[i0], {instancePath:instancePath+"/parts/" + i0}))){
vErrors = validate29.errors;
errors = 1;
}
var valid1 = _errs10 === errors;
if(!valid1){
break;
}
}
}
}
else {
return fail(validate33, instancePath+"/parts", "type", {type: "array"});
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data5 = data.metadata;
const _errs11 = errors;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
return fail(validate33, instancePath+"/metadata", "type", {type: "object"});
}
if(isDeep(data5)){
return fail(validate33, instancePath+"/metadata", "shallow", { limit: true });
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extensions !== undefined){
let data6 = data.extensions;
const _errs13 = errors;
if(errors === _errs13){
if(Array.isArray(data6)){
var valid2 = true;
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
const _errs15 = errors;
if(typeof data6[i1] !== "string"){
return fail(validate33, instancePath+"/extensions/" + i1, "type", {type: "string"});
}
var valid2 = _errs15 === errors;
if(!valid2){
break;
}
}
}
else {
return fail(validate33, instancePath+"/extensions", "type", {type: "array"});
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
return fail(validate33, instancePath, "type", {type: "object"});
}
}
validate33.errors = vErrors;
return errors === 0;
}
function validate26(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.id === undefined) && (missing0 = "id")) || ((data.status === undefined) && (missing0 = "status"))){
return fail(validate26, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "id") || (key0 === "contextId")) || (key0 === "status")) || (key0 === "artifacts")) || (key0 === "history")) || (key0 === "metadata"))){
return fail(validate26, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate26, instancePath+"/id", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate26, instancePath+"/id", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate26, instancePath+"/id", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.contextId !== undefined){
let data1 = data.contextId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate26, instancePath+"/contextId", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate26, instancePath+"/contextId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate26, instancePath+"/contextId", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs6 = errors;
if(!(validate27(data.status, {instancePath:instancePath+"/status"}))){
vErrors = validate27.errors;
errors = 1;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.artifacts !== undefined){
let data3 = data.artifacts;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data3)){
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs9 = errors;
if(!(validate33(data3[i0], {instancePath:instancePath+"/artifacts/" + i0}))){
vErrors = validate33.errors;
errors = 1;
}
var valid1 = _errs9 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate26, instancePath+"/artifacts", "type", {type: "array"});
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.history !== undefined){
let data5 = data.history;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data5)){
var valid2 = true;
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
const _errs12 = errors;
if(!(validate28(data5[i1], {instancePath:instancePath+"/history/" + i1}))){
vErrors = validate28.errors;
errors = 1;
}
var valid2 = _errs12 === errors;
if(!valid2){
break;
}
}
}
else {
return fail(validate26, instancePath+"/history", "type", {type: "array"});
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data7 = data.metadata;
const _errs13 = errors;
if(!(data7 && typeof data7 == "object" && !Array.isArray(data7))){
return fail(validate26, instancePath+"/metadata", "type", {type: "object"});
}
if(isDeep(data7)){
return fail(validate26, instancePath+"/metadata", "shallow", { limit: true });
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
return fail(validate26, instancePath, "type", {type: "object"});
}
}
validate26.errors = vErrors;
return errors === 0;
}
function validate37(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.taskId === undefined) && (missing0 = "taskId")) || ((data.contextId === undefined) && (missing0 = "contextId"))) || ((data.status === undefined) && (missing0 = "status"))){
return fail(validate37, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "taskId") || (key0 === "contextId")) || (key0 === "status")) || (key0 === "metadata"))){
return fail(validate37, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.taskId !== undefined){
let data0 = data.taskId;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate37, instancePath+"/taskId", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate37, instancePath+"/taskId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate37, instancePath+"/taskId", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.contextId !== undefined){
let data1 = data.contextId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate37, instancePath+"/contextId", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate37, instancePath+"/contextId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate37, instancePath+"/contextId", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
const _errs6 = errors;
if(!(validate27(data.status, {instancePath:instancePath+"/status"}))){
vErrors = validate27.errors;
errors = 1;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data3 = data.metadata;
const _errs7 = errors;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
return fail(validate37, instancePath+"/metadata", "type", {type: "object"});
}
if(isDeep(data3)){
return fail(validate37, instancePath+"/metadata", "shallow", { limit: true });
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
return fail(validate37, instancePath, "type", {type: "object"});
}
}
validate37.errors = vErrors;
return errors === 0;
}
function validate39(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.taskId === undefined) && (missing0 = "taskId")) || ((data.contextId === undefined) && (missing0 = "contextId"))) || ((data.artifact === undefined) && (missing0 = "artifact"))){
return fail(validate39, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "taskId") || (key0 === "contextId")) || (key0 === "artifact")) || (key0 === "append")) || (key0 === "lastChunk")) || (key0 === "metadata"))){
return fail(validate39, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.taskId !== undefined){
let data0 = data.taskId;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate39, instancePath+"/taskId", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate39, instancePath+"/taskId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate39, instancePath+"/taskId", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.contextId !== undefined){
let data1 = data.contextId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate39, instancePath+"/contextId", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate39, instancePath+"/contextId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate39, instancePath+"/contextId", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.artifact !== undefined){
const _errs6 = errors;
if(!(validate33(data.artifact, {instancePath:instancePath+"/artifact"}))){
vErrors = validate33.errors;
errors = 1;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.append !== undefined){
const _errs7 = errors;
if(typeof data.append !== "boolean"){
return fail(validate39, instancePath+"/append", "type", {type: "boolean"});
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lastChunk !== undefined){
const _errs9 = errors;
if(typeof data.lastChunk !== "boolean"){
return fail(validate39, instancePath+"/lastChunk", "type", {type: "boolean"});
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data5 = data.metadata;
const _errs11 = errors;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
return fail(validate39, instancePath+"/metadata", "type", {type: "object"});
}
if(isDeep(data5)){
return fail(validate39, instancePath+"/metadata", "shallow", { limit: true });
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
return fail(validate39, instancePath, "type", {type: "object"});
}
}
validate39.errors = vErrors;
return errors === 0;
}
function validate41(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.url === undefined) && (missing0 = "url")) || ((data.protocolBinding === undefined) && (missing0 = "protocolBinding"))) || ((data.protocolVersion === undefined) && (missing0 = "protocolVersion"))){
return fail(validate41, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "url") || (key0 === "protocolBinding")) || (key0 === "tenant")) || (key0 === "protocolVersion"))){
return fail(validate41, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.url !== undefined){
let data0 = data.url;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate41, instancePath+"/url", "minUnits", { limit: 1 });
}
}
else {
return fail(validate41, instancePath+"/url", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.protocolBinding !== undefined){
let data1 = data.protocolBinding;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate41, instancePath+"/protocolBinding", "minUnits", { limit: 1 });
}
}
else {
return fail(validate41, instancePath+"/protocolBinding", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tenant !== undefined){
let data2 = data.tenant;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate41, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data2.length > 256){
return fail(validate41, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate41, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.protocolVersion !== undefined){
let data3 = data.protocolVersion;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data3 === "string"){
if(data3.length < 1){
return fail(validate41, instancePath+"/protocolVersion", "minUnits", { limit: 1 });
}
}
else {
return fail(validate41, instancePath+"/protocolVersion", "type", {type: "string"});
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
return fail(validate41, instancePath, "type", {type: "object"});
}
}
validate41.errors = vErrors;
return errors === 0;
}
const schema17 = {"properties":{"name":0,"description":0,"supportedInterfaces":0,"provider":0,"version":0,"documentationUrl":0,"capabilities":0,"securitySchemes":0,"securityRequirements":0,"defaultInputModes":0,"defaultOutputModes":0,"skills":0,"signatures":0,"iconUrl":0}};
const func2 = Object.prototype.hasOwnProperty;
function validate44(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.url === undefined) && (missing0 = "url")) || ((data.organization === undefined) && (missing0 = "organization"))){
return fail(validate44, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "url") || (key0 === "organization"))){
return fail(validate44, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.url !== undefined){
let data0 = data.url;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate44, instancePath+"/url", "minUnits", { limit: 1 });
}
}
else {
return fail(validate44, instancePath+"/url", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.organization !== undefined){
let data1 = data.organization;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate44, instancePath+"/organization", "minUnits", { limit: 1 });
}
}
else {
return fail(validate44, instancePath+"/organization", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
return fail(validate44, instancePath, "type", {type: "object"});
}
}
validate44.errors = vErrors;
return errors === 0;
}
function validate47(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "uri") || (key0 === "description")) || (key0 === "required")) || (key0 === "params"))){
return fail(validate47, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.uri !== undefined){
let data0 = data.uri;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate47, instancePath+"/uri", "minUnits", { limit: 1 });
}
}
else {
return fail(validate47, instancePath+"/uri", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.description !== undefined){
let data1 = data.description;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate47, instancePath+"/description", "minUnits", { limit: 1 });
}
}
else {
return fail(validate47, instancePath+"/description", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.required !== undefined){
const _errs6 = errors;
if(typeof data.required !== "boolean"){
return fail(validate47, instancePath+"/required", "type", {type: "boolean"});
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.params !== undefined){
let data3 = data.params;
const _errs8 = errors;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
return fail(validate47, instancePath+"/params", "type", {type: "object"});
}
if(isDeep(data3)){
return fail(validate47, instancePath+"/params", "shallow", { limit: true });
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate47, instancePath, "type", {type: "object"});
}
}
validate47.errors = vErrors;
return errors === 0;
}
function validate46(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "streaming") || (key0 === "pushNotifications")) || (key0 === "extensions")) || (key0 === "extendedAgentCard"))){
return fail(validate46, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.streaming !== undefined){
const _errs2 = errors;
if(typeof data.streaming !== "boolean"){
return fail(validate46, instancePath+"/streaming", "type", {type: "boolean"});
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pushNotifications !== undefined){
const _errs4 = errors;
if(typeof data.pushNotifications !== "boolean"){
return fail(validate46, instancePath+"/pushNotifications", "type", {type: "boolean"});
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extensions !== undefined){
let data2 = data.extensions;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data2)){
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs8 = errors;
if(!(validate47(data2[i0], {instancePath:instancePath+"/extensions/" + i0}))){
vErrors = validate47.errors;
errors = 1;
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate46, instancePath+"/extensions", "type", {type: "array"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.extendedAgentCard !== undefined){
const _errs9 = errors;
if(typeof data.extendedAgentCard !== "boolean"){
return fail(validate46, instancePath+"/extendedAgentCard", "type", {type: "boolean"});
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate46, instancePath, "type", {type: "object"});
}
}
validate46.errors = vErrors;
return errors === 0;
}
function validate51(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.location === undefined) && (missing0 = "location")) || ((data.name === undefined) && (missing0 = "name"))){
return fail(validate51, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "description") || (key0 === "location")) || (key0 === "name"))){
return fail(validate51, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.description !== undefined){
let data0 = data.description;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate51, instancePath+"/description", "minUnits", { limit: 1 });
}
}
else {
return fail(validate51, instancePath+"/description", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.location !== undefined){
let data1 = data.location;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate51, instancePath+"/location", "minUnits", { limit: 1 });
}
}
else {
return fail(validate51, instancePath+"/location", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate51, instancePath+"/name", "minUnits", { limit: 1 });
}
}
else {
return fail(validate51, instancePath+"/name", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate51, instancePath, "type", {type: "object"});
}
}
validate51.errors = vErrors;
return errors === 0;
}
function validate53(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.scheme === undefined) && (missing0 = "scheme")){
return fail(validate53, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "description") || (key0 === "scheme")) || (key0 === "bearerFormat"))){
return fail(validate53, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.description !== undefined){
let data0 = data.description;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate53, instancePath+"/description", "minUnits", { limit: 1 });
}
}
else {
return fail(validate53, instancePath+"/description", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scheme !== undefined){
let data1 = data.scheme;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate53, instancePath+"/scheme", "minUnits", { limit: 1 });
}
}
else {
return fail(validate53, instancePath+"/scheme", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.bearerFormat !== undefined){
let data2 = data.bearerFormat;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate53, instancePath+"/bearerFormat", "minUnits", { limit: 1 });
}
}
else {
return fail(validate53, instancePath+"/bearerFormat", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate53, instancePath, "type", {type: "object"});
}
}
validate53.errors = vErrors;
return errors === 0;
}
function validate57(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.authorizationUrl === undefined) && (missing0 = "authorizationUrl")) || ((data.tokenUrl === undefined) && (missing0 = "tokenUrl"))) || ((data.scopes === undefined) && (missing0 = "scopes"))){
return fail(validate57, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "authorizationUrl") || (key0 === "tokenUrl")) || (key0 === "refreshUrl")) || (key0 === "scopes")) || (key0 === "pkceRequired"))){
return fail(validate57, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.authorizationUrl !== undefined){
let data0 = data.authorizationUrl;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate57, instancePath+"/authorizationUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate57, instancePath+"/authorizationUrl", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tokenUrl !== undefined){
let data1 = data.tokenUrl;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate57, instancePath+"/tokenUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate57, instancePath+"/tokenUrl", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.refreshUrl !== undefined){
let data2 = data.refreshUrl;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate57, instancePath+"/refreshUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate57, instancePath+"/refreshUrl", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scopes !== undefined){
let data3 = data.scopes;
const _errs8 = errors;
if(errors === _errs8){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key1 in data3){
const _errs11 = errors;
if(typeof data3[key1] !== "string"){
return fail(validate57, instancePath+"/scopes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), "type", {type: "string"});
}
var valid1 = _errs11 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate57, instancePath+"/scopes", "type", {type: "object"});
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pkceRequired !== undefined){
const _errs13 = errors;
if(typeof data.pkceRequired !== "boolean"){
return fail(validate57, instancePath+"/pkceRequired", "type", {type: "boolean"});
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
return fail(validate57, instancePath, "type", {type: "object"});
}
}
validate57.errors = vErrors;
return errors === 0;
}
function validate59(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.tokenUrl === undefined) && (missing0 = "tokenUrl")) || ((data.scopes === undefined) && (missing0 = "scopes"))){
return fail(validate59, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "tokenUrl") || (key0 === "refreshUrl")) || (key0 === "scopes"))){
return fail(validate59, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tokenUrl !== undefined){
let data0 = data.tokenUrl;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate59, instancePath+"/tokenUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate59, instancePath+"/tokenUrl", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.refreshUrl !== undefined){
let data1 = data.refreshUrl;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate59, instancePath+"/refreshUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate59, instancePath+"/refreshUrl", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scopes !== undefined){
let data2 = data.scopes;
const _errs6 = errors;
if(errors === _errs6){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key1 in data2){
const _errs9 = errors;
if(typeof data2[key1] !== "string"){
return fail(validate59, instancePath+"/scopes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), "type", {type: "string"});
}
var valid1 = _errs9 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate59, instancePath+"/scopes", "type", {type: "object"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate59, instancePath, "type", {type: "object"});
}
}
validate59.errors = vErrors;
return errors === 0;
}
function validate61(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "authorizationUrl") || (key0 === "refreshUrl")) || (key0 === "scopes"))){
return fail(validate61, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.authorizationUrl !== undefined){
let data0 = data.authorizationUrl;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate61, instancePath+"/authorizationUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate61, instancePath+"/authorizationUrl", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.refreshUrl !== undefined){
let data1 = data.refreshUrl;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate61, instancePath+"/refreshUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate61, instancePath+"/refreshUrl", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scopes !== undefined){
let data2 = data.scopes;
const _errs6 = errors;
if(errors === _errs6){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key1 in data2){
const _errs9 = errors;
if(typeof data2[key1] !== "string"){
return fail(validate61, instancePath+"/scopes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), "type", {type: "string"});
}
var valid1 = _errs9 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate61, instancePath+"/scopes", "type", {type: "object"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
return fail(validate61, instancePath, "type", {type: "object"});
}
}
validate61.errors = vErrors;
return errors === 0;
}
function validate63(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "tokenUrl") || (key0 === "refreshUrl")) || (key0 === "scopes"))){
return fail(validate63, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tokenUrl !== undefined){
let data0 = data.tokenUrl;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate63, instancePath+"/tokenUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate63, instancePath+"/tokenUrl", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.refreshUrl !== undefined){
let data1 = data.refreshUrl;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate63, instancePath+"/refreshUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate63, instancePath+"/refreshUrl", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scopes !== undefined){
let data2 = data.scopes;
const _errs6 = errors;
if(errors === _errs6){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key1 in data2){
const _errs9 = errors;
if(typeof data2[key1] !== "string"){
return fail(validate63, instancePath+"/scopes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), "type", {type: "string"});
}
var valid1 = _errs9 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate63, instancePath+"/scopes", "type", {type: "object"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
return fail(validate63, instancePath, "type", {type: "object"});
}
}
validate63.errors = vErrors;
return errors === 0;
}
function validate65(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.deviceAuthorizationUrl === undefined) && (missing0 = "deviceAuthorizationUrl")) || ((data.tokenUrl === undefined) && (missing0 = "tokenUrl"))) || ((data.scopes === undefined) && (missing0 = "scopes"))){
return fail(validate65, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "deviceAuthorizationUrl") || (key0 === "tokenUrl")) || (key0 === "refreshUrl")) || (key0 === "scopes"))){
return fail(validate65, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.deviceAuthorizationUrl !== undefined){
let data0 = data.deviceAuthorizationUrl;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate65, instancePath+"/deviceAuthorizationUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate65, instancePath+"/deviceAuthorizationUrl", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tokenUrl !== undefined){
let data1 = data.tokenUrl;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate65, instancePath+"/tokenUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate65, instancePath+"/tokenUrl", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.refreshUrl !== undefined){
let data2 = data.refreshUrl;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate65, instancePath+"/refreshUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate65, instancePath+"/refreshUrl", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scopes !== undefined){
let data3 = data.scopes;
const _errs8 = errors;
if(errors === _errs8){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key1 in data3){
const _errs11 = errors;
if(typeof data3[key1] !== "string"){
return fail(validate65, instancePath+"/scopes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), "type", {type: "string"});
}
var valid1 = _errs11 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate65, instancePath+"/scopes", "type", {type: "object"});
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
return fail(validate65, instancePath, "type", {type: "object"});
}
}
validate65.errors = vErrors;
return errors === 0;
}
function validate56(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "authorizationCode") || (key0 === "clientCredentials")) || (key0 === "implicit")) || (key0 === "password")) || (key0 === "deviceCode"))){
return fail(validate56, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.authorizationCode !== undefined){
const _errs2 = errors;
if(!(validate57(data.authorizationCode, {instancePath:instancePath+"/authorizationCode"}))){
vErrors = validate57.errors;
errors = 1;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.clientCredentials !== undefined){
const _errs3 = errors;
if(!(validate59(data.clientCredentials, {instancePath:instancePath+"/clientCredentials"}))){
vErrors = validate59.errors;
errors = 1;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.implicit !== undefined){
const _errs4 = errors;
if(!(validate61(data.implicit, {instancePath:instancePath+"/implicit"}))){
vErrors = validate61.errors;
errors = 1;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.password !== undefined){
const _errs5 = errors;
if(!(validate63(data.password, {instancePath:instancePath+"/password"}))){
vErrors = validate63.errors;
errors = 1;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.deviceCode !== undefined){
const _errs6 = errors;
if(!(validate65(data.deviceCode, {instancePath:instancePath+"/deviceCode"}))){
vErrors = validate65.errors;
errors = 1;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if((data["authorizationCode"] !== undefined ? 1 : 0) + (data["clientCredentials"] !== undefined ? 1 : 0) + (data["implicit"] !== undefined ? 1 : 0) + (data["password"] !== undefined ? 1 : 0) + (data["deviceCode"] !== undefined ? 1 : 0) !== 1){
return fail(validate56, instancePath, "exactlyOne", { limit: "authorizationCode, clientCredentials, implicit, password, deviceCode" });
}
}
}
}
}
}
}
}
else {
return fail(validate56, instancePath, "type", {type: "object"});
}
}
validate56.errors = vErrors;
return errors === 0;
}
function validate55(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.flows === undefined) && (missing0 = "flows")){
return fail(validate55, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "description") || (key0 === "flows")) || (key0 === "oauth2MetadataUrl"))){
return fail(validate55, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.description !== undefined){
let data0 = data.description;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate55, instancePath+"/description", "minUnits", { limit: 1 });
}
}
else {
return fail(validate55, instancePath+"/description", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.flows !== undefined){
const _errs4 = errors;
if(!(validate56(data.flows, {instancePath:instancePath+"/flows"}))){
vErrors = validate56.errors;
errors = 1;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.oauth2MetadataUrl !== undefined){
let data2 = data.oauth2MetadataUrl;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate55, instancePath+"/oauth2MetadataUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate55, instancePath+"/oauth2MetadataUrl", "type", {type: "string"});
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate55, instancePath, "type", {type: "object"});
}
}
validate55.errors = vErrors;
return errors === 0;
}
function validate69(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.openIdConnectUrl === undefined) && (missing0 = "openIdConnectUrl")){
return fail(validate69, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "description") || (key0 === "openIdConnectUrl"))){
return fail(validate69, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.description !== undefined){
let data0 = data.description;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate69, instancePath+"/description", "minUnits", { limit: 1 });
}
}
else {
return fail(validate69, instancePath+"/description", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.openIdConnectUrl !== undefined){
let data1 = data.openIdConnectUrl;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate69, instancePath+"/openIdConnectUrl", "minUnits", { limit: 1 });
}
}
else {
return fail(validate69, instancePath+"/openIdConnectUrl", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
return fail(validate69, instancePath, "type", {type: "object"});
}
}
validate69.errors = vErrors;
return errors === 0;
}
function validate71(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "description")){
return fail(validate71, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.description !== undefined){
let data0 = data.description;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate71, instancePath+"/description", "minUnits", { limit: 1 });
}
}
else {
return fail(validate71, instancePath+"/description", "type", {type: "string"});
}
}
}
}
}
else {
return fail(validate71, instancePath, "type", {type: "object"});
}
}
validate71.errors = vErrors;
return errors === 0;
}
function validate50(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "apiKeySecurityScheme") || (key0 === "httpAuthSecurityScheme")) || (key0 === "oauth2SecurityScheme")) || (key0 === "openIdConnectSecurityScheme")) || (key0 === "mtlsSecurityScheme"))){
return fail(validate50, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.apiKeySecurityScheme !== undefined){
const _errs2 = errors;
if(!(validate51(data.apiKeySecurityScheme, {instancePath:instancePath+"/apiKeySecurityScheme"}))){
vErrors = validate51.errors;
errors = 1;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.httpAuthSecurityScheme !== undefined){
const _errs3 = errors;
if(!(validate53(data.httpAuthSecurityScheme, {instancePath:instancePath+"/httpAuthSecurityScheme"}))){
vErrors = validate53.errors;
errors = 1;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.oauth2SecurityScheme !== undefined){
const _errs4 = errors;
if(!(validate55(data.oauth2SecurityScheme, {instancePath:instancePath+"/oauth2SecurityScheme"}))){
vErrors = validate55.errors;
errors = 1;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.openIdConnectSecurityScheme !== undefined){
const _errs5 = errors;
if(!(validate69(data.openIdConnectSecurityScheme, {instancePath:instancePath+"/openIdConnectSecurityScheme"}))){
vErrors = validate69.errors;
errors = 1;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mtlsSecurityScheme !== undefined){
const _errs6 = errors;
if(!(validate71(data.mtlsSecurityScheme, {instancePath:instancePath+"/mtlsSecurityScheme"}))){
vErrors = validate71.errors;
errors = 1;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if((data["apiKeySecurityScheme"] !== undefined ? 1 : 0) + (data["httpAuthSecurityScheme"] !== undefined ? 1 : 0) + (data["oauth2SecurityScheme"] !== undefined ? 1 : 0) + (data["openIdConnectSecurityScheme"] !== undefined ? 1 : 0) + (data["mtlsSecurityScheme"] !== undefined ? 1 : 0) !== 1){
return fail(validate50, instancePath, "exactlyOne", { limit: "apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme" });
}
}
}
}
}
}
}
}
else {
return fail(validate50, instancePath, "type", {type: "object"});
}
}
validate50.errors = vErrors;
return errors === 0;
}
function validate75(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "list")){
return fail(validate75, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.list !== undefined){
let data0 = data.list;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(typeof data0[i0] !== "string"){
return fail(validate75, instancePath+"/list/" + i0, "type", {type: "string"});
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate75, instancePath+"/list", "type", {type: "array"});
}
}
}
}
}
else {
return fail(validate75, instancePath, "type", {type: "object"});
}
}
validate75.errors = vErrors;
return errors === 0;
}
function validate74(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "schemes")){
return fail(validate74, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.schemes !== undefined){
let data0 = data.schemes;
const _errs2 = errors;
if(errors === _errs2){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
const _errs5 = errors;
if(!(validate75(data0[key1], {instancePath:instancePath+"/schemes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")}))){
vErrors = validate75.errors;
errors = 1;
}
var valid1 = _errs5 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate74, instancePath+"/schemes", "type", {type: "object"});
}
}
}
}
}
else {
return fail(validate74, instancePath, "type", {type: "object"});
}
}
validate74.errors = vErrors;
return errors === 0;
}
function validate78(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.id === undefined) && (missing0 = "id")) || ((data.name === undefined) && (missing0 = "name"))) || ((data.description === undefined) && (missing0 = "description"))) || ((data.tags === undefined) && (missing0 = "tags"))){
return fail(validate78, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "id") || (key0 === "name")) || (key0 === "description")) || (key0 === "tags")) || (key0 === "examples")) || (key0 === "inputModes")) || (key0 === "outputModes")) || (key0 === "securityRequirements"))){
return fail(validate78, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.id !== undefined){
let data0 = data.id;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate78, instancePath+"/id", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate78, instancePath+"/id", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate78, instancePath+"/id", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate78, instancePath+"/name", "minUnits", { limit: 1 });
}
}
else {
return fail(validate78, instancePath+"/name", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.description !== undefined){
let data2 = data.description;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate78, instancePath+"/description", "minUnits", { limit: 1 });
}
}
else {
return fail(validate78, instancePath+"/description", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tags !== undefined){
let data3 = data.tags;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data3)){
if(data3.length < 1){
return fail(validate78, instancePath+"/tags", "minItems", {limit: 1});
}
else {
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs10 = errors;
if(typeof data3[i0] !== "string"){
return fail(validate78, instancePath+"/tags/" + i0, "type", {type: "string"});
}
var valid1 = _errs10 === errors;
if(!valid1){
break;
}
}
}
}
else {
return fail(validate78, instancePath+"/tags", "type", {type: "array"});
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.examples !== undefined){
let data5 = data.examples;
const _errs12 = errors;
if(errors === _errs12){
if(Array.isArray(data5)){
var valid2 = true;
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
const _errs14 = errors;
if(typeof data5[i1] !== "string"){
return fail(validate78, instancePath+"/examples/" + i1, "type", {type: "string"});
}
var valid2 = _errs14 === errors;
if(!valid2){
break;
}
}
}
else {
return fail(validate78, instancePath+"/examples", "type", {type: "array"});
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.inputModes !== undefined){
let data7 = data.inputModes;
const _errs16 = errors;
if(errors === _errs16){
if(Array.isArray(data7)){
var valid3 = true;
const len2 = data7.length;
for(let i2=0; i2<len2; i2++){
const _errs18 = errors;
if(typeof data7[i2] !== "string"){
return fail(validate78, instancePath+"/inputModes/" + i2, "type", {type: "string"});
}
var valid3 = _errs18 === errors;
if(!valid3){
break;
}
}
}
else {
return fail(validate78, instancePath+"/inputModes", "type", {type: "array"});
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.outputModes !== undefined){
let data9 = data.outputModes;
const _errs20 = errors;
if(errors === _errs20){
if(Array.isArray(data9)){
var valid4 = true;
const len3 = data9.length;
for(let i3=0; i3<len3; i3++){
const _errs22 = errors;
if(typeof data9[i3] !== "string"){
return fail(validate78, instancePath+"/outputModes/" + i3, "type", {type: "string"});
}
var valid4 = _errs22 === errors;
if(!valid4){
break;
}
}
}
else {
return fail(validate78, instancePath+"/outputModes", "type", {type: "array"});
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.securityRequirements !== undefined){
let data11 = data.securityRequirements;
const _errs24 = errors;
if(errors === _errs24){
if(Array.isArray(data11)){
var valid5 = true;
const len4 = data11.length;
for(let i4=0; i4<len4; i4++){
const _errs26 = errors;
if(!(validate74(data11[i4], {instancePath:instancePath+"/securityRequirements/" + i4}))){
vErrors = validate74.errors;
errors = 1;
}
var valid5 = _errs26 === errors;
if(!valid5){
break;
}
}
}
else {
return fail(validate78, instancePath+"/securityRequirements", "type", {type: "array"});
}
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
return fail(validate78, instancePath, "type", {type: "object"});
}
}
validate78.errors = vErrors;
return errors === 0;
}
function validate81(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.protected === undefined) && (missing0 = "protected")) || ((data.signature === undefined) && (missing0 = "signature"))){
return fail(validate81, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "protected") || (key0 === "signature")) || (key0 === "header"))){
return fail(validate81, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.protected !== undefined){
let data0 = data.protected;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate81, instancePath+"/protected", "minUnits", { limit: 1 });
}
}
else {
return fail(validate81, instancePath+"/protected", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signature !== undefined){
let data1 = data.signature;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate81, instancePath+"/signature", "minUnits", { limit: 1 });
}
}
else {
return fail(validate81, instancePath+"/signature", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.header !== undefined){
let data2 = data.header;
const _errs6 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
return fail(validate81, instancePath+"/header", "type", {type: "object"});
}
if(isDeep(data2)){
return fail(validate81, instancePath+"/header", "shallow", { limit: true });
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate81, instancePath, "type", {type: "object"});
}
}
validate81.errors = vErrors;
return errors === 0;
}
function validate42(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((data.name === undefined) && (missing0 = "name")) || ((data.description === undefined) && (missing0 = "description"))) || ((data.supportedInterfaces === undefined) && (missing0 = "supportedInterfaces"))) || ((data.version === undefined) && (missing0 = "version"))) || ((data.capabilities === undefined) && (missing0 = "capabilities"))) || ((data.defaultInputModes === undefined) && (missing0 = "defaultInputModes"))) || ((data.defaultOutputModes === undefined) && (missing0 = "defaultOutputModes"))) || ((data.skills === undefined) && (missing0 = "skills"))){
return fail(validate42, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema17.properties, key0))){
return fail(validate42, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.name !== undefined){
let data0 = data.name;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate42, instancePath+"/name", "minUnits", { limit: 1 });
}
}
else {
return fail(validate42, instancePath+"/name", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.description !== undefined){
let data1 = data.description;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate42, instancePath+"/description", "minUnits", { limit: 1 });
}
}
else {
return fail(validate42, instancePath+"/description", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.supportedInterfaces !== undefined){
let data2 = data.supportedInterfaces;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data2)){
if(data2.length < 1){
return fail(validate42, instancePath+"/supportedInterfaces", "minItems", {limit: 1});
}
else {
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
const _errs8 = errors;
if(!(validate41(data2[i0], {instancePath:instancePath+"/supportedInterfaces/" + i0}))){
vErrors = validate41.errors;
errors = 1;
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
}
else {
return fail(validate42, instancePath+"/supportedInterfaces", "type", {type: "array"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.provider !== undefined){
const _errs9 = errors;
if(!(validate44(data.provider, {instancePath:instancePath+"/provider"}))){
vErrors = validate44.errors;
errors = 1;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.version !== undefined){
let data5 = data.version;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data5 === "string"){
if(data5.length < 1){
return fail(validate42, instancePath+"/version", "minUnits", { limit: 1 });
}
}
else {
return fail(validate42, instancePath+"/version", "type", {type: "string"});
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.documentationUrl !== undefined){
const _errs12 = errors;
if(typeof data.documentationUrl !== "string"){
return fail(validate42, instancePath+"/documentationUrl", "type", {type: "string"});
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.capabilities !== undefined){
const _errs14 = errors;
if(!(validate46(data.capabilities, {instancePath:instancePath+"/capabilities"}))){
vErrors = validate46.errors;
errors = 1;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.securitySchemes !== undefined){
let data8 = data.securitySchemes;
const _errs15 = errors;
if(errors === _errs15){
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key1 in data8){
const _errs18 = errors;
if(!(validate50(data8[key1], {instancePath:instancePath+"/securitySchemes/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")}))){
vErrors = validate50.errors;
errors = 1;
}
var valid2 = _errs18 === errors;
if(!valid2){
break;
}
}
}
else {
return fail(validate42, instancePath+"/securitySchemes", "type", {type: "object"});
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.securityRequirements !== undefined){
let data10 = data.securityRequirements;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data10)){
var valid3 = true;
const len1 = data10.length;
for(let i1=0; i1<len1; i1++){
const _errs21 = errors;
if(!(validate74(data10[i1], {instancePath:instancePath+"/securityRequirements/" + i1}))){
vErrors = validate74.errors;
errors = 1;
}
var valid3 = _errs21 === errors;
if(!valid3){
break;
}
}
}
else {
return fail(validate42, instancePath+"/securityRequirements", "type", {type: "array"});
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.defaultInputModes !== undefined){
let data12 = data.defaultInputModes;
const _errs22 = errors;
if(errors === _errs22){
if(Array.isArray(data12)){
if(data12.length < 1){
return fail(validate42, instancePath+"/defaultInputModes", "minItems", {limit: 1});
}
else {
var valid4 = true;
const len2 = data12.length;
for(let i2=0; i2<len2; i2++){
const _errs24 = errors;
if(typeof data12[i2] !== "string"){
return fail(validate42, instancePath+"/defaultInputModes/" + i2, "type", {type: "string"});
}
var valid4 = _errs24 === errors;
if(!valid4){
break;
}
}
}
}
else {
return fail(validate42, instancePath+"/defaultInputModes", "type", {type: "array"});
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.defaultOutputModes !== undefined){
let data14 = data.defaultOutputModes;
const _errs26 = errors;
if(errors === _errs26){
if(Array.isArray(data14)){
if(data14.length < 1){
return fail(validate42, instancePath+"/defaultOutputModes", "minItems", {limit: 1});
}
else {
var valid5 = true;
const len3 = data14.length;
for(let i3=0; i3<len3; i3++){
const _errs28 = errors;
if(typeof data14[i3] !== "string"){
return fail(validate42, instancePath+"/defaultOutputModes/" + i3, "type", {type: "string"});
}
var valid5 = _errs28 === errors;
if(!valid5){
break;
}
}
}
}
else {
return fail(validate42, instancePath+"/defaultOutputModes", "type", {type: "array"});
}
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.skills !== undefined){
let data16 = data.skills;
const _errs30 = errors;
if(errors === _errs30){
if(Array.isArray(data16)){
var valid6 = true;
const len4 = data16.length;
for(let i4=0; i4<len4; i4++){
const _errs32 = errors;
if(!(validate78(data16[i4], {instancePath:instancePath+"/skills/" + i4}))){
vErrors = validate78.errors;
errors = 1;
}
var valid6 = _errs32 === errors;
if(!valid6){
break;
}
}
}
else {
return fail(validate42, instancePath+"/skills", "type", {type: "array"});
}
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.signatures !== undefined){
let data18 = data.signatures;
const _errs33 = errors;
if(errors === _errs33){
if(Array.isArray(data18)){
var valid7 = true;
const len5 = data18.length;
for(let i5=0; i5<len5; i5++){
const _errs35 = errors;
if(!(validate81(data18[i5], {instancePath:instancePath+"/signatures/" + i5}))){
vErrors = validate81.errors;
errors = 1;
}
var valid7 = _errs35 === errors;
if(!valid7){
break;
}
}
}
else {
return fail(validate42, instancePath+"/signatures", "type", {type: "array"});
}
}
var valid0 = _errs33 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.iconUrl !== undefined){
const _errs36 = errors;
if(typeof data.iconUrl !== "string"){
return fail(validate42, instancePath+"/iconUrl", "type", {type: "string"});
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
return fail(validate42, instancePath, "type", {type: "object"});
}
}
validate42.errors = vErrors;
return errors === 0;
}
function validate83(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.message === undefined) && (missing0 = "message")){
return fail(validate83, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "tenant") || (key0 === "message")) || (key0 === "configuration")) || (key0 === "metadata"))){
return fail(validate83, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate83, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate83, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate83, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs4 = errors;
if(!(validate28(data.message, {instancePath:instancePath+"/message"}))){
vErrors = validate28.errors;
errors = 1;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.configuration !== undefined){
const _errs5 = errors;
if(!(validate21(data.configuration, {instancePath:instancePath+"/configuration"}))){
vErrors = validate21.errors;
errors = 1;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data3 = data.metadata;
const _errs6 = errors;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
return fail(validate83, instancePath+"/metadata", "type", {type: "object"});
}
if(isDeep(data3)){
return fail(validate83, instancePath+"/metadata", "shallow", { limit: true });
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
return fail(validate83, instancePath, "type", {type: "object"});
}
}
validate83.errors = vErrors;
return errors === 0;
}
function validate86(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.id === undefined) && (missing0 = "id")){
return fail(validate86, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "tenant") || (key0 === "id")) || (key0 === "historyLength"))){
return fail(validate86, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate86, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate86, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate86, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data1 = data.id;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate86, instancePath+"/id", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate86, instancePath+"/id", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate86, instancePath+"/id", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.historyLength !== undefined){
let data2 = data.historyLength;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
return fail(validate86, instancePath+"/historyLength", "type", {type: "integer"});
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2147483647 || isNaN(data2)){
return fail(validate86, instancePath+"/historyLength", "maximum", {comparison: "<=", limit: 2147483647});
}
else {
if(data2 < 0 || isNaN(data2)){
return fail(validate86, instancePath+"/historyLength", "minimum", {comparison: ">=", limit: 0});
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate86, instancePath, "type", {type: "object"});
}
}
validate86.errors = vErrors;
return errors === 0;
}
const schema39 = {"properties":{"status":{"enum":["TASK_STATE_SUBMITTED","TASK_STATE_WORKING","TASK_STATE_COMPLETED","TASK_STATE_FAILED","TASK_STATE_CANCELED","TASK_STATE_INPUT_REQUIRED","TASK_STATE_REJECTED","TASK_STATE_AUTH_REQUIRED"]}}};
function validate87(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "tenant") || (key0 === "contextId")) || (key0 === "status")) || (key0 === "pageSize")) || (key0 === "pageToken")) || (key0 === "historyLength")) || (key0 === "statusTimestampAfter")) || (key0 === "includeArtifacts"))){
return fail(validate87, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate87, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate87, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate87, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.contextId !== undefined){
let data1 = data.contextId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate87, instancePath+"/contextId", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate87, instancePath+"/contextId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate87, instancePath+"/contextId", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data2 = data.status;
const _errs6 = errors;
if(typeof data2 !== "string"){
return fail(validate87, instancePath+"/status", "type", {type: "string"});
}
if(!((((((((data2 === "TASK_STATE_SUBMITTED") || (data2 === "TASK_STATE_WORKING")) || (data2 === "TASK_STATE_COMPLETED")) || (data2 === "TASK_STATE_FAILED")) || (data2 === "TASK_STATE_CANCELED")) || (data2 === "TASK_STATE_INPUT_REQUIRED")) || (data2 === "TASK_STATE_REJECTED")) || (data2 === "TASK_STATE_AUTH_REQUIRED"))){
return fail(validate87, instancePath+"/status", "enum", {allowedValues: schema39.properties.status.enum});
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pageSize !== undefined){
let data3 = data.pageSize;
const _errs8 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
return fail(validate87, instancePath+"/pageSize", "type", {type: "integer"});
}
if(errors === _errs8){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 100 || isNaN(data3)){
return fail(validate87, instancePath+"/pageSize", "maximum", {comparison: "<=", limit: 100});
}
else {
if(data3 < 1 || isNaN(data3)){
return fail(validate87, instancePath+"/pageSize", "minimum", {comparison: ">=", limit: 1});
}
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pageToken !== undefined){
let data4 = data.pageToken;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data4 === "string"){
if(data4.length < 1){
return fail(validate87, instancePath+"/pageToken", "minUnits", { limit: 1 });
}
}
else {
return fail(validate87, instancePath+"/pageToken", "type", {type: "string"});
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.historyLength !== undefined){
let data5 = data.historyLength;
const _errs12 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
return fail(validate87, instancePath+"/historyLength", "type", {type: "integer"});
}
if(errors === _errs12){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 2147483647 || isNaN(data5)){
return fail(validate87, instancePath+"/historyLength", "maximum", {comparison: "<=", limit: 2147483647});
}
else {
if(data5 < 0 || isNaN(data5)){
return fail(validate87, instancePath+"/historyLength", "minimum", {comparison: ">=", limit: 0});
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.statusTimestampAfter !== undefined){
let data6 = data.statusTimestampAfter;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data6 === "string"){
if(!pattern0.test(data6)){
return fail(validate87, instancePath+"/statusTimestampAfter", "pattern", {pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?Z$"});
}
}
else {
return fail(validate87, instancePath+"/statusTimestampAfter", "type", {type: "string"});
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.includeArtifacts !== undefined){
const _errs16 = errors;
if(typeof data.includeArtifacts !== "boolean"){
return fail(validate87, instancePath+"/includeArtifacts", "type", {type: "boolean"});
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
return fail(validate87, instancePath, "type", {type: "object"});
}
}
validate87.errors = vErrors;
return errors === 0;
}
function validate88(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.tasks === undefined) && (missing0 = "tasks")) || ((data.nextPageToken === undefined) && (missing0 = "nextPageToken"))) || ((data.pageSize === undefined) && (missing0 = "pageSize"))) || ((data.totalSize === undefined) && (missing0 = "totalSize"))){
return fail(validate88, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "tasks") || (key0 === "nextPageToken")) || (key0 === "pageSize")) || (key0 === "totalSize"))){
return fail(validate88, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tasks !== undefined){
let data0 = data.tasks;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate26(data0[i0], {instancePath:instancePath+"/tasks/" + i0}))){
vErrors = validate26.errors;
errors = 1;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate88, instancePath+"/tasks", "type", {type: "array"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nextPageToken !== undefined){
const _errs5 = errors;
if(typeof data.nextPageToken !== "string"){
return fail(validate88, instancePath+"/nextPageToken", "type", {type: "string"});
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pageSize !== undefined){
let data3 = data.pageSize;
const _errs7 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
return fail(validate88, instancePath+"/pageSize", "type", {type: "integer"});
}
if(errors === _errs7){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 2147483647 || isNaN(data3)){
return fail(validate88, instancePath+"/pageSize", "maximum", {comparison: "<=", limit: 2147483647});
}
else {
if(data3 < 0 || isNaN(data3)){
return fail(validate88, instancePath+"/pageSize", "minimum", {comparison: ">=", limit: 0});
}
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.totalSize !== undefined){
let data4 = data.totalSize;
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
return fail(validate88, instancePath+"/totalSize", "type", {type: "integer"});
}
if(errors === _errs9){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 2147483647 || isNaN(data4)){
return fail(validate88, instancePath+"/totalSize", "maximum", {comparison: "<=", limit: 2147483647});
}
else {
if(data4 < 0 || isNaN(data4)){
return fail(validate88, instancePath+"/totalSize", "minimum", {comparison: ">=", limit: 0});
}
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
return fail(validate88, instancePath, "type", {type: "object"});
}
}
validate88.errors = vErrors;
return errors === 0;
}
function validate90(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.id === undefined) && (missing0 = "id")){
return fail(validate90, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "tenant") || (key0 === "id")) || (key0 === "metadata"))){
return fail(validate90, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate90, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate90, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate90, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data1 = data.id;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate90, instancePath+"/id", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate90, instancePath+"/id", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate90, instancePath+"/id", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metadata !== undefined){
let data2 = data.metadata;
const _errs6 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
return fail(validate90, instancePath+"/metadata", "type", {type: "object"});
}
if(isDeep(data2)){
return fail(validate90, instancePath+"/metadata", "shallow", { limit: true });
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate90, instancePath, "type", {type: "object"});
}
}
validate90.errors = vErrors;
return errors === 0;
}
function validate91(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.taskId === undefined) && (missing0 = "taskId")) || ((data.id === undefined) && (missing0 = "id"))){
return fail(validate91, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "tenant") || (key0 === "taskId")) || (key0 === "id"))){
return fail(validate91, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate91, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate91, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate91, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.taskId !== undefined){
let data1 = data.taskId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate91, instancePath+"/taskId", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate91, instancePath+"/taskId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate91, instancePath+"/taskId", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data2 = data.id;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate91, instancePath+"/id", "minUnits", { limit: 1 });
}
else {
if(data2.length > 256){
return fail(validate91, instancePath+"/id", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate91, instancePath+"/id", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate91, instancePath, "type", {type: "object"});
}
}
validate91.errors = vErrors;
return errors === 0;
}
function validate92(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.taskId === undefined) && (missing0 = "taskId")) || ((data.id === undefined) && (missing0 = "id"))){
return fail(validate92, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "tenant") || (key0 === "taskId")) || (key0 === "id"))){
return fail(validate92, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate92, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate92, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate92, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.taskId !== undefined){
let data1 = data.taskId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate92, instancePath+"/taskId", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate92, instancePath+"/taskId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate92, instancePath+"/taskId", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data2 = data.id;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length < 1){
return fail(validate92, instancePath+"/id", "minUnits", { limit: 1 });
}
else {
if(data2.length > 256){
return fail(validate92, instancePath+"/id", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate92, instancePath+"/id", "type", {type: "string"});
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
return fail(validate92, instancePath, "type", {type: "object"});
}
}
validate92.errors = vErrors;
return errors === 0;
}
function validate93(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.id === undefined) && (missing0 = "id")){
return fail(validate93, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "tenant") || (key0 === "id"))){
return fail(validate93, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate93, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate93, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate93, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data1 = data.id;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate93, instancePath+"/id", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate93, instancePath+"/id", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate93, instancePath+"/id", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
return fail(validate93, instancePath, "type", {type: "object"});
}
}
validate93.errors = vErrors;
return errors === 0;
}
function validate94(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.taskId === undefined) && (missing0 = "taskId")){
return fail(validate94, instancePath, "required", {missingProperty: missing0});
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "tenant") || (key0 === "taskId")) || (key0 === "pageSize")) || (key0 === "pageToken"))){
return fail(validate94, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate94, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate94, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate94, instancePath+"/tenant", "type", {type: "string"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.taskId !== undefined){
let data1 = data.taskId;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length < 1){
return fail(validate94, instancePath+"/taskId", "minUnits", { limit: 1 });
}
else {
if(data1.length > 256){
return fail(validate94, instancePath+"/taskId", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate94, instancePath+"/taskId", "type", {type: "string"});
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pageSize !== undefined){
let data2 = data.pageSize;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
return fail(validate94, instancePath+"/pageSize", "type", {type: "integer"});
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 2147483647 || isNaN(data2)){
return fail(validate94, instancePath+"/pageSize", "maximum", {comparison: "<=", limit: 2147483647});
}
else {
if(data2 < 0 || isNaN(data2)){
return fail(validate94, instancePath+"/pageSize", "minimum", {comparison: ">=", limit: 0});
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pageToken !== undefined){
let data3 = data.pageToken;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data3 === "string"){
if(data3.length < 1){
return fail(validate94, instancePath+"/pageToken", "minUnits", { limit: 1 });
}
}
else {
return fail(validate94, instancePath+"/pageToken", "type", {type: "string"});
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
return fail(validate94, instancePath, "type", {type: "object"});
}
}
validate94.errors = vErrors;
return errors === 0;
}
function validate95(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "tenant")){
return fail(validate95, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.tenant !== undefined){
let data0 = data.tenant;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length < 1){
return fail(validate95, instancePath+"/tenant", "minUnits", { limit: 1 });
}
else {
if(data0.length > 256){
return fail(validate95, instancePath+"/tenant", "maxUnits", { limit: 256 });
}
}
}
else {
return fail(validate95, instancePath+"/tenant", "type", {type: "string"});
}
}
}
}
}
else {
return fail(validate95, instancePath, "type", {type: "object"});
}
}
validate95.errors = vErrors;
return errors === 0;
}
function validate96(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "task") || (key0 === "message"))){
return fail(validate96, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.task !== undefined){
const _errs2 = errors;
if(!(validate26(data.task, {instancePath:instancePath+"/task"}))){
vErrors = validate26.errors;
errors = 1;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs3 = errors;
if(!(validate28(data.message, {instancePath:instancePath+"/message"}))){
vErrors = validate28.errors;
errors = 1;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if((data["task"] !== undefined ? 1 : 0) + (data["message"] !== undefined ? 1 : 0) !== 1){
return fail(validate96, instancePath, "exactlyOne", { limit: "task, message" });
}
}
}
}
}
else {
return fail(validate96, instancePath, "type", {type: "object"});
}
}
validate96.errors = vErrors;
return errors === 0;
}
function validate99(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "task") || (key0 === "message")) || (key0 === "statusUpdate")) || (key0 === "artifactUpdate"))){
return fail(validate99, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.task !== undefined){
const _errs2 = errors;
if(!(validate26(data.task, {instancePath:instancePath+"/task"}))){
vErrors = validate26.errors;
errors = 1;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
const _errs3 = errors;
if(!(validate28(data.message, {instancePath:instancePath+"/message"}))){
vErrors = validate28.errors;
errors = 1;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.statusUpdate !== undefined){
const _errs4 = errors;
if(!(validate37(data.statusUpdate, {instancePath:instancePath+"/statusUpdate"}))){
vErrors = validate37.errors;
errors = 1;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.artifactUpdate !== undefined){
const _errs5 = errors;
if(!(validate39(data.artifactUpdate, {instancePath:instancePath+"/artifactUpdate"}))){
vErrors = validate39.errors;
errors = 1;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if((data["task"] !== undefined ? 1 : 0) + (data["message"] !== undefined ? 1 : 0) + (data["statusUpdate"] !== undefined ? 1 : 0) + (data["artifactUpdate"] !== undefined ? 1 : 0) !== 1){
return fail(validate99, instancePath, "exactlyOne", { limit: "task, message, statusUpdate, artifactUpdate" });
}
}
}
}
}
}
}
else {
return fail(validate99, instancePath, "type", {type: "object"});
}
}
validate99.errors = vErrors;
return errors === 0;
}
function validate104(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "configs") || (key0 === "nextPageToken"))){
return fail(validate104, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
if(_errs1 === errors){
if(data.configs !== undefined){
let data0 = data.configs;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs4 = errors;
if(!(validate22(data0[i0], {instancePath:instancePath+"/configs/" + i0}))){
vErrors = validate22.errors;
errors = 1;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
return fail(validate104, instancePath+"/configs", "type", {type: "array"});
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nextPageToken !== undefined){
const _errs5 = errors;
if(typeof data.nextPageToken !== "string"){
return fail(validate104, instancePath+"/nextPageToken", "type", {type: "string"});
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
return fail(validate104, instancePath, "type", {type: "object"});
}
}
validate104.errors = vErrors;
return errors === 0;
}
function validate106(data, {instancePath=""}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
return fail(validate106, instancePath, "additionalProperties", {additionalProperty: key0});
break;
}
}
else {
return fail(validate106, instancePath, "type", {type: "object"});
}
}
validate106.errors = vErrors;
return errors === 0;
}
export const validators: Validators = {
  SendMessageConfiguration: validate21,
  Task: validate26,
  TaskStatus: validate27,
  Part: validate29,
  Message: validate28,
  Artifact: validate33,
  TaskStatusUpdateEvent: validate37,
  TaskArtifactUpdateEvent: validate39,
  AuthenticationInfo: validate23,
  AgentInterface: validate41,
  AgentCard: validate42,
  AgentProvider: validate44,
  AgentCapabilities: validate46,
  AgentExtension: validate47,
  AgentSkill: validate78,
  AgentCardSignature: validate81,
  TaskPushNotificationConfig: validate22,
  StringList: validate75,
  SecurityRequirement: validate74,
  SecurityScheme: validate50,
  APIKeySecurityScheme: validate51,
  HTTPAuthSecurityScheme: validate53,
  OAuth2SecurityScheme: validate55,
  OpenIdConnectSecurityScheme: validate69,
  MutualTlsSecurityScheme: validate71,
  OAuthFlows: validate56,
  AuthorizationCodeOAuthFlow: validate57,
  ClientCredentialsOAuthFlow: validate59,
  ImplicitOAuthFlow: validate61,
  PasswordOAuthFlow: validate63,
  DeviceCodeOAuthFlow: validate65,
  SendMessageRequest: validate83,
  GetTaskRequest: validate86,
  ListTasksRequest: validate87,
  ListTasksResponse: validate88,
  CancelTaskRequest: validate90,
  GetTaskPushNotificationConfigRequest: validate91,
  DeleteTaskPushNotificationConfigRequest: validate92,
  SubscribeToTaskRequest: validate93,
  ListTaskPushNotificationConfigsRequest: validate94,
  GetExtendedAgentCardRequest: validate95,
  SendMessageResponse: validate96,
  StreamResponse: validate99,
  ListTaskPushNotificationConfigsResponse: validate104,
  Empty: validate106,
};
